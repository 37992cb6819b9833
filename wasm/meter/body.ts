import type { Definition } from "./calls.ts";
import type { Spaces } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import { placeCharges } from "./placement.ts";
import { newTrace, type Trace, traceBody } from "./trace.ts";
import { put, putBytes, putSigned, putU32, type Writer } from "./writer.ts";

/** What a body is rewritten with: indices of what the pass adds to the module. */
export interface Additions {
  readonly fuelGlobal: number;
  readonly yieldType: number;
  readonly yieldTable: number;
  /** What calls pay ahead for the functions they call, by index. */
  readonly ahead: Int32Array;
  /** Whether this function's callers pay for its entry. */
  readonly unmarked: boolean;
}

/** What the pass met in one function. */
export interface Body {
  readonly loops: number;
  /** Whether it holds bulk operations, which are charged by their length. */
  readonly bulk: boolean;
  /** Offsets in what was written of the branches that are hardly ever taken. */
  readonly hints: readonly number[];
}

/** Takes `cost` from the counter, and leaves what is left in `scratch` when given. */
function charge(out: Writer, add: Additions, cost: number, scratch?: number): void {
  put(out, OP.globalGet);
  putU32(out, add.fuelGlobal);
  if (cost !== 0) {
    put(out, OP.i64Const);
    putSigned(out, cost);
    put(out, OP.i64Sub);
  }
  if (scratch !== undefined) {
    put(out, cost === 0 ? OP.localSet : OP.localTee);
    putU32(out, scratch);
  }
  if (cost === 0) return;
  put(out, OP.globalSet);
  putU32(out, add.fuelGlobal);
}

function yieldBelowZero(out: Writer, add: Additions, scratch: number): void {
  put(out, OP.localGet);
  putU32(out, scratch);
  put(out, OP.i64Const);
  put(out, 0);
  put(out, OP.i64LtS);
  hints.push(out.length);
  put(out, OP.if);
  put(out, 0x40);
  put(out, OP.i32Const);
  put(out, 0);
  put(out, OP.callIndirect);
  putU32(out, add.yieldType);
  putU32(out, add.yieldTable);
  put(out, OP.end);
}

/** Charges the length on top of the stack, and yields when that was too much. */
function chargeLength(out: Writer, add: Additions, scratch: number): void {
  put(out, OP.localTee);
  putU32(out, scratch + 1);
  put(out, OP.globalGet);
  putU32(out, add.fuelGlobal);
  put(out, OP.localGet);
  putU32(out, scratch + 1);
  put(out, OP.i64ExtendI32U);
  put(out, OP.i64Sub);
  put(out, OP.localTee);
  putU32(out, scratch);
  put(out, OP.globalSet);
  putU32(out, add.fuelGlobal);
  yieldBelowZero(out, add, scratch);
}

// One function after the other: these are used again, not made 89,060 times.
const trace = newTrace();
const hints: number[] = [];

/** Charges by segment, of the function whose graph `trace` holds. */
function chargesOf({ catches, flow }: Trace): readonly number[] {
  // Where exceptions are caught, a segment can be left in its middle: each pays for itself, so that none is skipped.
  return catches ? flow.graph.cost : placeCharges(flow.graph);
}

/** What a function charges where it begins: what its callers pay when it does not do so itself. */
export function entryCharge({ code, locals }: Definition, spaces: Spaces, ahead: Int32Array): number {
  traceBody({ ...code }, spaces, locals, ahead, trace);
  return chargesOf(trace)[0] ?? 0;
}

/**
 * Rewrites the instructions of one function: charges stand at the starts of segments, where {@link placeCharges} puts
 * them, and the counter is tested at the entry, at each loop head and before each bulk operation.
 * The caller adds an i64 local, and an i32 one after it when the result says `bulk`.
 */
export function meterBody({ code, locals }: Definition, spaces: Spaces, add: Additions, out: Writer): Body {
  const cursor = { ...code };
  traceBody(cursor, spaces, locals, add.ahead, trace);
  const { bulk, flow } = trace;
  const { graph } = flow;
  const charges = chargesOf(trace);
  hints.length = 0;
  let from = code.at;
  let next = 0;
  const copyTo = (end: number): void => {
    for (let at = bulk[next]; at !== undefined && at < end; at = bulk[++next]) {
      putBytes(out, code.bytes, from, at);
      from = at;
      chargeLength(out, add, locals);
    }
    putBytes(out, code.bytes, from, end);
    from = end;
  };
  // What neither loops nor calls ends soon, and its callers are tested.
  const leaf = trace.loops === 0 && trace.calls === 0;
  for (const [segment, start] of graph.start.entries()) {
    const cost = charges[segment] ?? 0;
    if (segment === 0 && add.unmarked) continue;
    const tested = !leaf && graph.tested[segment] === true;
    if (cost === 0 && !tested) continue;
    copyTo(start);
    charge(out, add, cost, tested ? locals : undefined);
    if (tested) yieldBelowZero(out, add, locals);
  }
  copyTo(cursor.end);
  return { loops: trace.loops, bulk: bulk.length > 0, hints };
}
