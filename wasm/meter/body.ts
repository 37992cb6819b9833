import type { Spaces } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import { placeCharges } from "./placement.ts";
import type { Cursor } from "./reader.ts";
import { newTrace, traceBody } from "./trace.ts";
import { put, putBytes, putSigned, putU32, type Writer } from "./writer.ts";

/** What a body is rewritten with: indices of what the pass adds to the module. */
export interface Additions {
  readonly fuelGlobal: number;
  readonly yieldType: number;
  readonly yieldTable: number;
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

/**
 * Rewrites the instructions of one function: charges stand at the starts of segments, where {@link placeCharges} puts
 * them, and the counter is tested at the entry, at each loop head and before each bulk operation.
 * @param scratch index of an i64 local that the caller adds, followed by an i32 one when the result says `bulk`
 */
export function meterBody(cursor: Cursor, spaces: Spaces, scratch: number, add: Additions, out: Writer): Body {
  let from = cursor.at;
  hints.length = 0;
  traceBody(cursor, spaces, scratch, trace);
  const { graph, bulk } = trace;
  // Where exceptions are caught, a segment can be left in its middle: each pays for itself, so that none is skipped.
  const charges = trace.catches ? graph.cost : placeCharges(graph);
  let next = 0;
  const chargeBulkUpTo = (end: number): void => {
    for (let at = bulk[next]; at !== undefined && at < end; at = bulk[++next]) {
      putBytes(out, cursor.bytes, from, at);
      from = at;
      chargeLength(out, add, scratch);
    }
  };
  // What neither loops nor calls ends soon, and its callers are tested.
  const leaf = trace.loops === 0 && trace.calls === 0;
  for (let segment = 0; segment < charges.length; segment++) {
    const start = graph.start[segment] ?? cursor.end;
    const cost = charges[segment] ?? 0;
    const tested = !leaf && graph.tested[segment] === true;
    if (cost === 0 && !tested) continue;
    chargeBulkUpTo(start);
    putBytes(out, cursor.bytes, from, start);
    from = start;
    charge(out, add, cost, tested ? scratch : undefined);
    if (tested) yieldBelowZero(out, add, scratch);
  }
  chargeBulkUpTo(cursor.end);
  putBytes(out, cursor.bytes, from, cursor.end);
  return { loops: trace.loops, bulk: bulk.length > 0, hints };
}
