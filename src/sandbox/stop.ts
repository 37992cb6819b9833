import type { Verdict } from "../engine/fuel.ts";
import { type Killer, KILLERS } from "../policy/killers.ts";

/** Why a turn is stopped; the first cause wins. */
export type StopCause = "timeout" | "out_of_fuel" | "killed";

/** The longest grace between the soft stop at the deadline and the hard one. */
const LONGEST_GRACE_MS = 2_000;
/** Within it the guest is interrupted so often: a callback of the code's can swallow one. */
const INTERRUPTS = 64;

export interface StopOptions {
  readonly wallTimeMs: number;
  /** The words of `SHARED`: one is set by `raise` when the turn is to be killed, one counts what has come for it. */
  readonly flag: Int32Array;
  /** True when the guest can be interrupted softly before it is thrown out. */
  readonly soft: boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The words that a turn and the engine's main thread share. */
export const SHARED = { kill: 0, events: 1, bytes: 8 } as const;

/** Decides when a turn ends, and why. */
export interface Stop {
  look(): Verdict;
  /** Sleeps for up to `ms`; false when it was cut short since `look` has something new to say. */
  wait(ms: number): boolean;
  /** Sleeps as long as the shared count of events is `seen`, for up to `ms`, and not beyond what `look` has something new to say at. */
  waitForEvent(seen: number, ms: number): void;
  /** True when `look` has something new to say. */
  isDue(): boolean;
  outOfFuel(): void;
  cause(): StopCause | undefined;
}

/** Kills the turn that looks at the flag; the first who does is the one that is told. */
export function raise(flag: Int32Array, by: Killer): void {
  Atomics.compareExchange(flag, SHARED.kill, 0, KILLERS.indexOf(by) + 1);
  Atomics.notify(flag, SHARED.kill);
  wake(flag);
}

/** Tells a turn that waits for it that something has come. */
export function wake(flag: Int32Array): void {
  Atomics.add(flag, SHARED.events, 1);
  Atomics.notify(flag, SHARED.events);
}

/** Who has raised a flag. */
export function raisedBy(flag: Int32Array): Killer | undefined {
  return KILLERS[Atomics.load(flag, SHARED.kill) - 1];
}

/** A quarter of the deadline, at most two seconds. */
export function graceMs(wallTimeMs: number): number {
  return Math.min(wallTimeMs / 4, LONGEST_GRACE_MS);
}

/** Starts the clock of a turn. */
export function startStop({ wallTimeMs, flag, soft, now }: StopOptions): Stop {
  const deadline = now() + wallTimeMs;
  const end = soft ? deadline + graceMs(wallTimeMs) : deadline;
  let first: StopCause | undefined;
  let next = deadline;

  const look = (): Verdict => {
    if (Atomics.load(flag, SHARED.kill) !== 0) {
      first ??= "killed";
      return "halt";
    }
    const time = now();
    if (time < deadline) return "continue";
    first ??= "timeout";
    if (time >= end) return "halt";
    if (time < next) return "continue";
    next = time + graceMs(wallTimeMs) / INTERRUPTS;
    return "interrupt";
  };

  // What the code waits for while it cleans up is not cut short.
  const left = (): number => (next > deadline ? end : deadline) - now();

  return {
    look,
    wait(ms) {
      const rest = left();
      if (rest <= 0) return false;
      return Atomics.wait(flag, SHARED.kill, 0, Math.min(ms, rest)) === "timed-out" && ms < rest;
    },
    waitForEvent(seen, ms) {
      const rest = left();
      if (rest > 0) Atomics.wait(flag, SHARED.events, seen, Math.min(ms, rest));
    },
    isDue: () => Atomics.load(flag, SHARED.kill) !== 0 || left() <= 0,
    outOfFuel() {
      first ??= "out_of_fuel";
    },
    cause: () => first,
  };
}
