import door from "belljar:guest/door";
import { setName } from "./names.ts";

interface Timer {
  readonly id: number;
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: readonly unknown[];
  readonly interval: number | undefined;
  due: number;
  order: number;
}

/** Longest delay of the HTML standard's timers: 2^31 - 1 ms; beyond it they count as 1. */
const LONGEST = 2_147_483_647;
const timers = new Map<number, Timer>();
let lastId = 0;
let lastOrder = 0;

/** What the timer functions give back: a number in a shell that Node's users know. */
class Timeout {
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return timers.has(this.#id);
  }
  close(): this {
    timers.delete(this.#id);
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.#id;
  }
  [Symbol.dispose](): void {
    timers.delete(this.#id);
  }
}

setName(Timeout, "Timeout");

function start(callback: unknown, delay: unknown, args: readonly unknown[], repeats: boolean): Timeout {
  if (typeof callback !== "function") {
    throw new TypeError(`The "callback" argument must be of type function. Received ${callback === null ? "null" : typeof callback}`);
  }
  const number = Number(delay);
  const ms = number >= 1 && number <= LONGEST ? Math.trunc(number) : 1;
  lastId += 1;
  lastOrder += 1;
  const run = (...values: unknown[]): unknown => Reflect.apply(callback, undefined, values);
  timers.set(lastId, { id: lastId, callback: run, args, interval: repeats ? ms : undefined, due: door.monotonic() + ms, order: lastOrder });
  return new Timeout(lastId);
}

function stop(handle: unknown): void {
  if (handle !== null && handle !== undefined) timers.delete(Number(handle));
}

export function clearTimers(): void {
  timers.clear();
}

/** Milliseconds until the next timer is due; `undefined` when there is none. */
export function untilTimer(): number | undefined {
  const next = nextTimer();
  return next && Math.max(0, next.due - door.monotonic());
}

function nextTimer(): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers.values()) {
    if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
  }
  return next;
}

/**
 * Sleeps until the next timer is due, takes it, and gives what it is to run; `undefined` when there is
 * no timer, "stopped" when the turn is to end meanwhile.
 */
export function takeTimer(): (() => unknown) | "stopped" | undefined {
  const next = nextTimer();
  if (next === undefined) return undefined;
  for (let left = next.due - door.monotonic(); left > 0; left = next.due - door.monotonic()) {
    if (door.wait(left)) return "stopped";
  }
  const timer = next;
  if (timer.interval === undefined) timers.delete(timer.id);
  else {
    lastOrder += 1;
    timer.due = Math.max(timer.due + timer.interval, door.monotonic());
    timer.order = lastOrder;
  }
  return () => timer.callback(...timer.args);
}

export const timerGlobals = {
  setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]) => start(callback, delay, args, false),
  setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]) => start(callback, delay, args, true),
  setImmediate: (callback: unknown, ...args: unknown[]) => start(callback, 0, args, false),
  clearTimeout: (handle?: unknown) => stop(handle),
  clearInterval: (handle?: unknown) => stop(handle),
  clearImmediate: (handle?: unknown) => stop(handle),
};
