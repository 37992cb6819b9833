import door from "belljar:guest/door";
import { OwnMap } from "./own-map.ts";
import { setName } from "./names.ts";

interface Timer {
  readonly id: number;
  /** The turn that set it. */
  readonly turn: number;
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: readonly unknown[];
  readonly interval: number | undefined;
  due: number;
  order: number;
}

/** Longest delay of the HTML standard's timers: 2^31 - 1 ms; beyond it they count as 1. */
const LONGEST = 2_147_483_647;
const timers = new OwnMap<number, Timer>();
const { apply } = Reflect;
let turn = 0;
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
  const run = (...values: unknown[]): unknown => apply(callback, undefined, values);
  timers.set(lastId, { id: lastId, turn, callback: run, args, interval: repeats ? ms : undefined, due: door.monotonic() + ms, order: lastOrder });
  return new Timeout(lastId);
}

function stop(handle: unknown): void {
  if (handle !== null && handle !== undefined) timers.delete(Number(handle));
}

/** Timers that are set from now on are this turn's. */
export function beginTimers(current: number): void {
  turn = current;
}

/** Drops what the turn has set. */
export function clearTimers(): void {
  for (const timer of timers.values()) if (timer.turn === turn) timers.delete(timer.id);
}

/** Drops all timers; true when there were any. */
export function forgetTimers(): boolean {
  const were = timers.size > 0;
  timers.clear();
  return were;
}

/** Whether timers wait. */
export function hasTimers(): boolean {
  return timers.size > 0;
}

/** How many timers wait, and in how many milliseconds the first of them is due. */
export function pendingTimers(): { readonly count: number; readonly dueIn: number } {
  const next = nextTimer();
  return { count: timers.size, dueIn: next === undefined ? Infinity : Math.max(0, Math.ceil(next.due - door.monotonic())) };
}

function nextTimer(): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers.values()) {
    if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
  }
  return next;
}

/** A timer that is due. */
export interface DueTimer {
  /** True when an earlier turn has set it. */
  readonly isOld: boolean;
  run(): unknown;
  /** It doesn't run again. */
  drop(): void;
}

/**
 * Sleeps until the next timer is due, and takes it; `undefined` when none is by `until`, "stopped" when the turn is to
 * end meanwhile.
 */
export function takeTimer(until: number): DueTimer | "stopped" | undefined {
  const timer = nextTimer();
  if (timer === undefined || timer.due > until) return undefined;
  for (let left = timer.due - door.monotonic(); left > 0; left = timer.due - door.monotonic()) {
    if (door.wait(left)) return "stopped";
  }
  if (timer.interval === undefined) timers.delete(timer.id);
  else {
    lastOrder += 1;
    timer.due = Math.max(timer.due + timer.interval, door.monotonic());
    timer.order = lastOrder;
  }
  return { isOld: timer.turn !== turn, run: () => apply(timer.callback, undefined, timer.args), drop: () => void timers.delete(timer.id) };
}

export const timerGlobals = {
  setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]) => start(callback, delay, args, false),
  setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]) => start(callback, delay, args, true),
  setImmediate: (callback: unknown, ...args: unknown[]) => start(callback, 0, args, false),
  clearTimeout: (handle?: unknown) => stop(handle),
  clearInterval: (handle?: unknown) => stop(handle),
  clearImmediate: (handle?: unknown) => stop(handle),
};
