import * as z from "zod";
import { network } from "../../policy/network-sentences.ts";
import type { Grants } from "../../policy/grants.ts";
import { sizeOfRequest } from "./headers.ts";
import { refusalOf } from "./hosts.ts";
import { type FromNet, MOST_PIECES, type NetRequest, PIECE, requestSchema, type ToNet, WINDOW } from "./messages.ts";

/** The way from a sandbox's thread to the server's network. */
export interface NetLine {
  send(message: ToNet): void;
  /** What has come since, one by one; `undefined` when there is no more for now. */
  take(): FromNet | undefined;
  /** Blocks the thread for up to `ms` (may be Infinity), until something may have come or the turn is to end. */
  wait(ms: number): void;
  /** True when the turn is to end, so that nothing is waited for. */
  isDue(): boolean;
}

/** What a guest may ask; the answers are objects with `error`, or what each says here. */
const askSchema = z.discriminatedUnion("op", [
  /** Tells whether requests may go there: `{}`. */
  z.object({ op: z.literal("check"), url: z.string() }),
  /** Begins a request: `{ id }`. A whole body goes with the message. */
  z.object({ op: z.literal("start"), request: requestSchema }),
  /** Sends a piece of a body that is streamed, and waits until there is room for it: `{}`, or `{ full: true }` when `ms` was too short. */
  z.object({ op: z.literal("send"), id: z.int(), last: z.boolean(), ms: z.number().nonnegative().optional() }),
  /**
   * Waits for what comes next of any of the requests: `{ id, event: "head" | "data" | "end" | "failed", … }`, the bytes
   * of `data` with the answer; `{}` when nothing came within `ms` (no end to it when left out), or the turn is to end.
   */
  z.object({ op: z.literal("next"), ids: z.array(z.int()).max(100_000), ms: z.number().nonnegative().optional() }),
  z.object({ op: z.literal("close"), id: z.int() }),
]);

export interface NetAnswer {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly content: Uint8Array;
}

/** The sandbox's side of the network in one turn. */
export interface NetDoor {
  /** Answers what a guest asks; `content` is copied. */
  ask(asked: unknown, content: Uint8Array): NetAnswer;
  /** The same of JSON text. */
  askText(text: string, content: Uint8Array): NetAnswer;
}

interface Open {
  readonly came: FromNet[];
  /** Bytes of the body that are on their way, and in how many pieces. */
  underway: number;
  pieces: number;
  /** True when the body was said to be whole. */
  sent: boolean;
}

/** Longer questions are none: URL and headers have limits of their own, and a body does not come in it. */
const MOST_TEXT = 4 * 1_024 * 1_024;

/** Ids are unlike those of other turns, so that what is left of an earlier one can't be taken for a request of this. */
const ID_RANGE = 2 ** 48;

/**
 * There is a line when a host was allowed. The server decides for itself; that the door knows the grants spares the way
 * there, and that it keeps count holds what waits on that way to what a run may send.
 */
export function createNetDoor(line: NetLine | undefined, { net, netLimits }: Pick<Grants, "net" | "netLimits">): NetDoor {
  const open = new Map<number, Open>();
  let requests = 0;
  let sentBytes = 0;
  let lastId = Math.floor(Math.random() * ID_RANGE);

  const say = (answer: Readonly<Record<string, unknown>>, content: Uint8Array = new Uint8Array(0)): NetAnswer => ({ answer, content });
  const refuse = (code: string, message: string): NetAnswer => say({ error: { code, message } });

  /** Why so much more may not go to the server, if it may not. */
  const spent = (bytes: number): string | undefined => {
    if (sentBytes + bytes > netLimits.bytes) return network.tooManyBytes(netLimits.bytes);
    sentBytes += bytes;
    return undefined;
  };

  const start = (to: NetLine, request: NetRequest, content: Uint8Array): NetAnswer => {
    if (requests >= netLimits.requests) return refuse("limit", network.tooManyRequests(netLimits.requests));
    const size = sizeOfRequest(request);
    if (size > netLimits.headerBytes) return refuse("limit", network.headersTooLarge(size, netLimits.headerBytes));
    const tooMuch = spent(content.length);
    if (tooMuch !== undefined) return refuse("limit", tooMuch);
    requests += 1;
    lastId += 1;
    open.set(lastId, { came: [], underway: 0, pieces: 0, sent: request.body !== "stream" });
    to.send({ kind: "start", id: lastId, request, bytes: content.slice() });
    return say({ id: lastId });
  };

  /** Puts what has come where it belongs. */
  const gather = (to: NetLine): void => {
    for (let message = to.take(); message !== undefined; message = to.take()) {
      const entry = open.get(message.id);
      if (entry === undefined) continue;
      if (message.kind !== "sent") entry.came.push(message);
      else {
        entry.underway -= message.count;
        entry.pieces -= 1;
      }
    }
  };

  /** Waits until `ready` has something, or it is time; looks at least once. */
  const waitFor = <T>(to: NetLine, ms: number, ready: () => T | undefined): T | undefined => {
    const until = performance.now() + ms;
    for (;;) {
      gather(to);
      const found = ready();
      const left = until - performance.now();
      if (found !== undefined || left <= 0 || to.isDue()) return found;
      to.wait(left);
    }
  };

  const next = (to: NetLine, ids: readonly number[], ms: number): NetAnswer => {
    const unknown = ids.find((id) => !open.has(id));
    if (unknown !== undefined) return say({ id: unknown, event: "failed", code: "invalid", message: network.closed() });
    const message = waitFor(to, ms, () => {
      for (const id of ids) {
        const first = open.get(id)?.came.shift();
        if (first !== undefined) return first;
      }
      return undefined;
    });
    if (message === undefined) return say({});
    const { kind, id, ...rest } = message;
    if (kind === "end" || kind === "failed") open.delete(id);
    if (kind !== "data") return say({ id, event: kind, ...rest });
    to.send({ kind: "taken", id, count: message.bytes.length });
    return say({ id, event: kind }, message.bytes);
  };

  const send = (to: NetLine, id: number, last: boolean, ms: number, content: Uint8Array): NetAnswer => {
    const entry = open.get(id);
    if (entry === undefined || entry.sent) return refuse("invalid", network.closed());
    if (content.length === 0 && !last) return say({});
    const hasRoom = (): boolean => entry.underway < WINDOW && entry.pieces < MOST_PIECES;
    for (let at = 0; at === 0 || at < content.length; at += PIECE) {
      const bytes = content.slice(at, at + PIECE);
      const settled = waitFor(to, ms, () => (hasRoom() || entry.came.some(({ kind }) => kind === "failed") ? true : undefined));
      if (settled === undefined) return say({ full: true });
      const tooMuch = spent(bytes.length);
      if (tooMuch !== undefined) {
        // Who reads the answer hears of it too.
        entry.came.push({ kind: "failed", id, code: "limit", message: tooMuch });
        entry.sent = true;
        to.send({ kind: "close", id });
        return refuse("limit", tooMuch);
      }
      entry.underway += bytes.length;
      if (bytes.length > 0) entry.pieces += 1;
      entry.sent = last && at + PIECE >= content.length;
      to.send({ kind: "body", id, bytes, last: entry.sent });
    }
    return say({});
  };

  const door: NetDoor = {
    askText: (text, content) => door.ask(text.length > MOST_TEXT ? undefined : parse(text), content),
    ask(asked, content) {
      const parsed = askSchema.safeParse(asked);
      if (!parsed.success) return refuse("invalid", network.notUnderstood());
      const message = parsed.data;
      if (message.op === "check") {
        const refusal = refusalOf(message.url, net);
        return refusal === undefined ? say({}) : refuse(refusal.code, refusal.message);
      }
      if (message.op === "start") {
        const refusal = refusalOf(message.request.url, net);
        if (refusal !== undefined) return refuse(refusal.code, refusal.message);
        if (line === undefined) return refuse("broken", network.closed());
        return start(line, message.request, content);
      }
      if (line === undefined) return refuse("invalid", network.closed());
      switch (message.op) {
        case "send":
          return send(line, message.id, message.last, message.ms ?? Infinity, content);
        case "next":
          return next(line, message.ids, message.ms ?? Infinity);
        case "close":
          if (open.delete(message.id)) line.send({ kind: "close", id: message.id });
          return say({});
      }
    },
  };
  return door;
}

/** What is no JSON is no request either. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
