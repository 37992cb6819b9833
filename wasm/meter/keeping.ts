import { OP } from "./opcodes.ts";
import type { Trace } from "./trace.ts";
import { put, putSigned, putU32, type Writer } from "./writer.ts";

/** The indices of what charges and yields by: added to the module by the pass. */
export interface Counter {
  readonly fuelGlobal: number;
  readonly yieldType: number;
  readonly yieldTable: number;
}

/** Where a function keeps the counter while it runs: in the global, or in a local of its own. */
export interface Keeping {
  /** Whether it is in a local, which has to be handed on before other functions run and when this one is left. */
  readonly isLocal: boolean;
  takeUp(out: Writer): void;
  handOn(out: Writer): void;
  /** Takes `cost` from the counter. @param tested whether what is left is to be in the local */
  charge(out: Writer, cost: number, tested: boolean): void;
}

function move(out: Writer, from: number, at: number, into: number, to: number): void {
  put(out, from);
  putU32(out, at);
  put(out, into);
  putU32(out, to);
}

function subtract(out: Writer, cost: number): void {
  put(out, OP.i64Const);
  putSigned(out, cost);
  put(out, OP.i64Sub);
}

function inGlobal({ fuelGlobal }: Counter, local: number): Keeping {
  return {
    isLocal: false,
    takeUp() {},
    handOn() {},
    charge(out, cost, tested) {
      if (cost === 0) {
        if (tested) move(out, OP.globalGet, fuelGlobal, OP.localSet, local);
        return;
      }
      put(out, OP.globalGet);
      putU32(out, fuelGlobal);
      subtract(out, cost);
      if (tested) {
        put(out, OP.localTee);
        putU32(out, local);
      }
      put(out, OP.globalSet);
      putU32(out, fuelGlobal);
    },
  };
}

function inLocal({ fuelGlobal }: Counter, local: number): Keeping {
  return {
    isLocal: true,
    takeUp: (out) => move(out, OP.globalGet, fuelGlobal, OP.localSet, local),
    handOn: (out) => move(out, OP.localGet, local, OP.globalSet, fuelGlobal),
    charge(out, cost) {
      if (cost === 0) return;
      put(out, OP.localGet);
      putU32(out, local);
      subtract(out, cost);
      put(out, OP.localSet);
      putU32(out, local);
    },
  };
}

/** By so much the local must be the cheaper one, for the code that handing on takes. */
const WORTH = 0.9;

/**
 * Chooses where a function keeps the counter, by the guess of how often its code runs: in the local a charge is one
 * operation and not three, but each call two more.
 * @param local an i64 local, free for this
 * @param result see {@link Definition}: what returns several values stays with the global, and so does what catches,
 * since after a catch the local would not be what the thrower left
 */
export function chooseKeeping(
  counter: Counter,
  local: number,
  charges: readonly number[],
  { catches, flow: { graph } }: Trace,
  result: number | undefined,
): Keeping {
  if (catches || result === undefined) return inGlobal(counter, local);
  let global = 0;
  let own = 2;
  for (const [segment, runs] of graph.runs.entries()) {
    const charged = charges[segment] !== 0;
    global += runs * (charged ? 3 : graph.tested[segment] === true ? 1 : 0);
    own += runs * ((charged ? 1 : 0) + 2 * (graph.calls[segment] ?? 0));
  }
  return own < global * WORTH ? inLocal(counter, local) : inGlobal(counter, local);
}

/**
 * Calls the host when `scratch` is below zero.
 * @param hints takes the offset of the branch, which is hardly ever taken
 * @param before writes what has to come before the call
 * @param after what has to come after it: what leads on to other code, so that no hint is given, which would make V8 take that for cold
 */
export function yieldBelowZero(out: Writer, counter: Counter, scratch: number, hints: number[], keeping?: Keeping, before?: () => void, after?: () => void): void {
  put(out, OP.localGet);
  putU32(out, scratch);
  put(out, OP.i64Const);
  put(out, 0);
  put(out, OP.i64LtS);
  if (after === undefined) hints.push(out.length);
  put(out, OP.if);
  put(out, 0x40);
  keeping?.handOn(out);
  before?.();
  put(out, OP.i32Const);
  put(out, 0);
  put(out, OP.callIndirect);
  putU32(out, counter.yieldType);
  putU32(out, counter.yieldTable);
  keeping?.takeUp(out);
  after?.();
  put(out, OP.end);
}

/** Charges the global what the i32 local `length` holds, and yields when that was too much. */
export function chargeLength(out: Writer, counter: Counter, length: number, scratch: number, hints: number[]): void {
  put(out, OP.globalGet);
  putU32(out, counter.fuelGlobal);
  put(out, OP.localGet);
  putU32(out, length);
  put(out, OP.i64ExtendI32U);
  put(out, OP.i64Sub);
  put(out, OP.localTee);
  putU32(out, scratch);
  put(out, OP.globalSet);
  putU32(out, counter.fuelGlobal);
  yieldBelowZero(out, counter, scratch, hints);
}
