import { BelljarError, isBelljarError } from "../base/errors.ts";

/** Instructions between two looks at the clock: half a millisecond of guest time, and more where each touches a new page. */
const SLICE = 500_000n;
/**
 * Code is charged some of its instructions before it has run them, and gets back what it does not come to: while a turn
 * runs it may be so much over its limit. Whether it was over is judged at its end.
 */
const AHEAD = 2_000_000n;
/** The grace is given in so many parts, each with an interrupt: a callback of the code's can swallow one. */
const GRACE_PARTS = 64;
/** Instructions for `leaving` and for `ending`, beside those of the turn. */
const LAST_STEPS = 5_000_000n;
const LAST_LOOK = 5_000_000n;

/** What the host decides when a guest yields. */
export type Verdict = "continue" | "interrupt" | "halt";

/** The exports that metering adds to a core module (see wasm/meter). */
export interface Meter {
  /** Instructions left before the next yield; below zero the guest calls `slot[0]`. */
  readonly counter: WebAssembly.Global;
  /** One slot, for a function of type () → (). */
  readonly slot: WebAssembly.Table;
}

/** The rules of one turn. */
export interface FuelRules {
  /** Instructions that the turn may use. */
  readonly limit: number;
  /** Extra instructions to unwind in, given in parts together with an interrupt when the limit is used up; 0 for none. */
  readonly grace: number;
  /** Asked at every yield. */
  readonly look: () => Verdict;
  /** Makes the guest raise an exception at its next chance; called again as long as the turn goes on. */
  readonly interrupt: () => void;
  /** Told when the turn asks for more than its limit, or has used more at its end. */
  readonly onExhausted: () => void;
  /** Told once, when the guest is to be ended: it still goes on for some instructions, in which it may come to tell where it was. */
  readonly leaving?: () => void;
  /** Told once, just before the guest is ended: may call it amid whatever it does, to learn where it was. */
  readonly ending?: () => void;
}

/**
 * The one budget of a turn, given in slices to the counters of all core modules of a guest. What was
 * used is the slices given less what is left in the counters: exact to a segment, and repeatable.
 */
export interface FuelBudget {
  attach(meter: Meter): void;
  begin(rules: FuelRules): void;
  /** Judges, when the guest has come to its end, whether it kept to its limit. */
  settle(): void;
  /** Asks the host whether the turn goes on, as a yield does: for host calls that may have waited. */
  look(): void;
  /** Instructions used since `begin`, at most the limit. */
  used(): number;
  /** Why the guest was ended at a yield, where all that itself can tell is a trap. */
  stopped(): BelljarError | undefined;
}

/**
 * (module (import "" "y" (func (result i32))) (func (export "y") (if (call 0) (then unreachable)))): what
 * guests call at a yield. It ends them by a trap, since code with a `catch_all` would catch an exception.
 */
const RELAY = new WebAssembly.Module(
  Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 96, 0, 0, 96, 0, 1, 127, 2, 6, 1, 0, 1, 121, 0, 1, 3, 2, 1, 0, 7, 5, 1, 1, 121, 0, 1,
    10, 10, 1, 8, 0, 16, 0, 4, 64, 0, 11, 11,
  ),
);

/** A guest that is to end traps at its yield; `stopped` then says why: HALTED or OUT_OF_FUEL. */
export function createFuelBudget(): FuelBudget {
  const counters: WebAssembly.Global[] = [];
  let rules: FuelRules | undefined;
  let given = 0n;
  let allowed = 0n;
  /** Parts of the grace that were given. */
  let parts = 0;
  /** True once the guest is told to end; while `ending` calls it once more, its host calls don't end it. */
  let hasEnded = false;
  let isAsking = false;
  let end: BelljarError | undefined;
  /** Why the guest is to be ended, while it goes on for its last steps. */
  let leaving: BelljarError | undefined;

  const finish = (error: BelljarError): never => {
    end ??= error;
    if (!hasEnded) {
      hasEnded = true;
      isAsking = true;
      const before = counters.map((counter) => counter.value);
      for (const counter of counters) counter.value = LAST_LOOK;
      rules?.ending?.();
      counters.forEach((counter, index) => (counter.value = before[index]));
      isAsking = false;
    }
    throw error;
  };

  const leave = (error: BelljarError, current: FuelRules): void => {
    if (leaving !== undefined || current.leaving === undefined) return finish(leaving ?? error);
    leaving = error;
    allowed = given + LAST_STEPS;
    current.leaving();
  };

  const look = (): FuelRules => {
    if (rules === undefined) throw new BelljarError("HALTED", "no turn is running");
    if (isAsking || leaving !== undefined) return rules;
    const verdict = rules.look();
    if (verdict === "halt") leave(new BelljarError("HALTED", "the turn was stopped"), rules);
    if (verdict === "interrupt") rules.interrupt();
    return rules;
  };

  /** What other counters hold unspent, when there is no more to give. */
  const takeBack = (counter: WebAssembly.Global): void => {
    for (const other of counters) {
      if (other === counter || other.value <= 0n) continue;
      given -= other.value;
      other.value = 0n;
    }
  };

  /** Gives the next part of the grace; when there is none, the guest's last steps. */
  const exhaust = (current: FuelRules): void => {
    if (parts === 0 && leaving === undefined) current.onExhausted();
    if (leaving !== undefined || parts === GRACE_PARTS || current.grace === 0) {
      return leave(new BelljarError("OUT_OF_FUEL", "the turn used up its fuel"), current);
    }
    parts += 1;
    allowed += BigInt(Math.ceil(current.grace / GRACE_PARTS));
    current.interrupt();
  };

  const refill = (counter: WebAssembly.Global): void => {
    const current = look();
    if (isAsking) finish(new BelljarError("HALTED", "the turn was stopped"));
    while (counter.value < 0n) {
      if (given >= allowed) takeBack(counter);
      if (given >= allowed) exhaust(current);
      const rest = allowed - given;
      const slice = rest < SLICE ? rest : SLICE;
      given += slice;
      counter.value += slice;
    }
  };

  /** 1 when the guest is to end. */
  const yielded = (counter: WebAssembly.Global): number => {
    try {
      refill(counter);
      return 0;
    } catch (error) {
      if (!isBelljarError(error)) throw error;
      end ??= error;
      return 1;
    }
  };

  const left = (): bigint => counters.reduce((sum, counter) => sum + counter.value, 0n);

  return {
    look,
    attach(meter) {
      const relay = new WebAssembly.Instance(RELAY, { "": { y: () => yielded(meter.counter) } });
      meter.slot.set(0, relay.exports["y"]);
      counters.push(meter.counter);
    },
    begin(next) {
      rules = next;
      given = 0n;
      allowed = BigInt(next.limit) + AHEAD;
      parts = 0;
      hasEnded = false;
      end = leaving = undefined;
      for (const counter of counters) counter.value = 0n;
    },
    stopped: () => end,
    settle() {
      if (rules !== undefined && given - left() > BigInt(rules.limit)) rules.onExhausted();
    },
    used() {
      const used = Number(given - left());
      return rules === undefined ? used : Math.min(used, rules.limit);
    },
  };
}
