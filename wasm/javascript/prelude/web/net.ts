import door from "belljar:guest/door";
import { OwnMap } from "../own-map.ts";
import { type DueTimer, hasTimers, pendingTimers, takeTimer } from "../timers.ts";

/** What comes of a request, as the host tells it (src/host/net/net-door.ts). */
export type NetEvent =
  | { readonly event: "head"; readonly status: number; readonly reason: string; readonly headers: readonly (readonly [string, string])[] }
  | { readonly event: "data"; readonly bytes: Uint8Array }
  | { readonly event: "end" }
  | { readonly event: "failed"; readonly message: string };

export interface NetRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: "none" | "whole" | "stream";
}

const EMPTY = new Uint8Array(0);
/** Who waits for the next event of a request; what nobody waits for is not asked for. */
const waiting = new OwnMap<number, (event: NetEvent) => void>();

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly stopped?: boolean;
}

function ask(question: object, content: Uint8Array = EMPTY): { readonly answer: Answer; readonly bytes: Uint8Array } {
  const [text, bytes] = door.net(JSON.stringify(question).toWellFormed(), content);
  const answer: Answer = JSON.parse(text);
  if (answer.error !== undefined) throw failed(answer.error.message);
  return { answer, bytes };
}

/** The error of a request, as Node names it, with the reason. */
export function failed(message: string): TypeError {
  return new TypeError(`fetch failed: ${message}`);
}

/** Begins a request. @throws TypeError with the host's reason. */
export function startRequest(request: NetRequest, content: Uint8Array): number {
  return Number(ask({ op: "start", request: { ...request, unpack: true } }, content).answer.id);
}

/** Sends a piece of a body that is streamed; waits while the host has no room for it. */
export function sendPiece(id: number, content: Uint8Array, last: boolean): void {
  ask({ op: "send", id, last }, content);
}

/** What comes next of a request. */
export function nextEvent(id: number): Promise<NetEvent> {
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** Ends a request; who waits for it is told so. */
export function endRequest(id: number): void {
  ask({ op: "close", id });
  const resolve = waiting.get(id);
  waiting.delete(id);
  resolve?.({ event: "failed", message: "This request is over." });
}

/** The turn has failed: nothing is waited for any more. */
export function forgetRequests(): void {
  waiting.clear();
}

/** Whether there is anything to wait for; asks nothing of what the code may have changed. */
export function isWaiting(): boolean {
  return waiting.size > 0 || hasTimers();
}

/**
 * Sleeps until a timer is due or something comes of a request, whichever is first, and gives what it is to run;
 * `undefined` when there is nothing to wait for, "stopped" when the turn is to end meanwhile.
 * @param until beyond it no timer is waited for, unless there is a request, which no turn leaves to the next
 */
export function takeDue(until: number): DueTimer | "stopped" | undefined {
  if (waiting.size === 0) return takeTimer(until);
  const { dueIn: ms } = pendingTimers();
  const { answer, bytes } = ask({ op: "next", ids: [...waiting.keys()], ...(ms === Infinity ? {} : { ms }) });
  if (answer.stopped === true) return "stopped";
  if (answer.id === undefined) return ms === Infinity ? due(() => {}) : takeTimer(Infinity);
  const resolve = waiting.get(answer.id);
  // Whoever is served goes to the end of the line.
  waiting.delete(answer.id);
  const event = { bytes, ...answer };
  return due(() => (isEvent(event) ? resolve?.(event) : undefined));
}

function due(run: () => unknown): DueTimer {
  return { isOld: false, run, drop: () => {} };
}

function isEvent(value: object): value is NetEvent {
  return "event" in value;
}
