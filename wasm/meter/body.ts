import { COST, ENTRY_COST } from "./cost.ts";
import { newInstruction, readInstruction, type Spaces } from "./instruction.ts";
import { isBulk, OP } from "./opcodes.ts";
import { type Cursor, refuse } from "./reader.ts";
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
}

const ENDS_SEGMENT = new Set<number>([
  OP.if, OP.else, OP.end, OP.br, OP.brIf, OP.brTable, OP.return, OP.unreachable, OP.brOnNull, OP.brOnNonNull,
  OP.throw, OP.throwRef, OP.rethrow, OP.returnCall, OP.returnCallIndirect, OP.returnCallRef, OP.catch, OP.catchAll, OP.delegate,
]);
const OPENS = new Set<number>([OP.block, OP.loop, OP.if, OP.try, OP.tryTable]);

const instruction = newInstruction();

/** Writes the counter less `cost`, and leaves what is left in `scratch` when given. */
function charge(out: Writer, add: Additions, cost: number, scratch?: number): void {
  put(out, OP.globalGet);
  putU32(out, add.fuelGlobal);
  put(out, OP.i64Const);
  putSigned(out, cost);
  put(out, OP.i64Sub);
  if (scratch !== undefined) {
    put(out, OP.localTee);
    putU32(out, scratch);
  }
  put(out, OP.globalSet);
  putU32(out, add.fuelGlobal);
}

function yieldBelowZero(out: Writer, add: Additions, scratch: number): void {
  put(out, OP.localGet);
  putU32(out, scratch);
  put(out, OP.i64Const);
  put(out, 0);
  put(out, OP.i64LtS);
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

/**
 * Rewrites the instructions of one function: each segment of straight code is charged where it begins, and the
 * counter is tested at the entry and at each loop head, and before each bulk operation.
 * @param scratch index of an i64 local that the caller adds, followed by an i32 one when the result says `bulk`
 */
export function meterBody(cursor: Cursor, spaces: Spaces, scratch: number, add: Additions, out: Writer): Body {
  let loops = 0;
  let anyBulk = false;
  let depth = 1;
  let start = cursor.at;
  let cost = ENTRY_COST;
  let tested = true;
  let bulk: number[] = [];
  const close = (end: number): void => {
    if (tested) {
      charge(out, add, cost, scratch);
      yieldBelowZero(out, add, scratch);
    } else if (cost > 0) charge(out, add, cost);
    for (const at of bulk) {
      putBytes(out, cursor.bytes, start, at);
      chargeLength(out, add, scratch);
      start = at;
    }
    putBytes(out, cursor.bytes, start, end);
    start = end;
    cost = 0;
    tested = false;
    if (bulk.length === 0) return;
    bulk = [];
    anyBulk = true;
  };
  while (depth > 0) {
    readInstruction(cursor, spaces, scratch, instruction);
    const { op } = instruction;
    if (op === OP.loop) {
      close(cursor.at);
      tested = true;
      loops++;
      depth++;
      continue;
    }
    cost += COST[op] ?? 1;
    if (OPENS.has(op)) depth++;
    else if (op === OP.end || op === OP.delegate) depth--;
    else if (op === OP.misc && isBulk(instruction.sub)) bulk.push(instruction.at);
    if (ENDS_SEGMENT.has(op)) close(cursor.at);
  }
  if (cursor.at !== cursor.end) refuse(cursor, "code after the end of its function");
  return { loops, bulk: anyBulk };
}
