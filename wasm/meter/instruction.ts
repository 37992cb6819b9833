import { ATOMIC, IMMEDIATE, MISC, OP, PLAIN, SIMD } from "./opcodes.ts";
import { below, byte, type Cursor, heapType, refuse, s32, skip, skipSigned, u32 } from "./reader.ts";

/** How many of each thing the module has: an index at or past it would reach what the pass adds. */
export interface Spaces {
  readonly types: number;
  readonly functions: number;
  readonly tables: number;
  readonly memories: number;
  readonly globals: number;
}

/** One decoded instruction; a single one is used again and again. */
export interface Instruction {
  /** Offset of its opcode. */
  at: number;
  op: number;
  /** The second number of 0xFC, 0xFD and 0xFE. */
  sub: number;
  /** The index, label, local or type named first. */
  index: number;
  /** What a load or a store adds to its address. */
  offset: number;
  /** What an i32.const pushes, unsigned. */
  value: number;
  /** What the instruction before pushed when it was an i32.const; else undefined. */
  pushed: number | undefined;
  /** A block's type: EMPTY, ONE_RESULT or a type index. */
  blockType: number;
  /** Labels of a br_table (default last) or of a try_table's catches (as seen from outside it). */
  readonly targets: number[];
}

export const EMPTY = -1;
export const ONE_RESULT = -2;

export function newInstruction(): Instruction {
  return { at: 0, op: 0, sub: 0, index: 0, offset: 0, value: 0, pushed: undefined, blockType: EMPTY, targets: [] };
}

/** A value type: number, vector or reference. */
export function valueType(cursor: Cursor, types: number): number {
  const type = byte(cursor);
  if (type === 0x63 || type === 0x64) heapType(cursor, types);
  else if (!(type >= 0x7b && type <= 0x7f) && !(type >= 0x69 && type <= 0x74)) {
    refuse(cursor, `value type 0x${type.toString(16)} is not supported`, cursor.at - 1);
  }
  return type;
}

function blockType(cursor: Cursor, spaces: Spaces): number {
  const first = cursor.bytes[cursor.at];
  if (first === 0x40) {
    cursor.at++;
    if (cursor.at > cursor.end) refuse(cursor, "ends too early");
    return EMPTY;
  }
  if (first !== undefined && first >= 0x60 && first < 0x80) {
    valueType(cursor, spaces.types);
    return ONE_RESULT;
  }
  return below(cursor, spaces.types, "type");
}

/** @returns the offset */
function memarg(cursor: Cursor): number {
  const at = cursor.at;
  const align = u32(cursor);
  if (align >= 64) refuse(cursor, "more than one memory is not supported", at);
  return u32(cursor);
}

function catches(cursor: Cursor, targets: number[]): void {
  for (let left = u32(cursor); left > 0; left--) {
    const kind = byte(cursor);
    if (kind > 3) refuse(cursor, `catch kind ${kind}`, cursor.at - 1);
    if (kind < 2) u32(cursor);
    targets.push(u32(cursor));
  }
}

function prefixed(cursor: Cursor, into: Instruction): number {
  into.sub = u32(cursor);
  const kinds = into.op === OP.misc ? MISC : into.op === OP.simd ? SIMD : ATOMIC;
  return kinds[into.sub] ?? IMMEDIATE.unknown;
}

/**
 * Reads the next instruction into `into`.
 * Refuses what is not supported, cut short, or names a type, table, global or local that the module does not have.
 * @param locals parameters and locals of the function
 */
export function readInstruction(cursor: Cursor, spaces: Spaces, locals: number, into: Instruction): void {
  into.pushed = into.op === OP.i32Const ? into.value : undefined;
  into.at = cursor.at;
  const op = byte(cursor);
  into.op = op;
  const kind = op >= OP.misc && op <= OP.atomic ? prefixed(cursor, into) : (PLAIN[op] ?? IMMEDIATE.unknown);
  const I = IMMEDIATE;
  switch (kind) {
    case I.none: return;
    case I.local: into.index = below(cursor, locals, "local"); return;
    case I.memarg: into.offset = memarg(cursor); return;
    case I.s32: into.value = s32(cursor); return;
    case I.s64: skipSigned(cursor, 64); return;
    case I.label: case I.index: into.index = u32(cursor); return;
    case I.function: into.index = below(cursor, spaces.functions, "function"); return;
    case I.global: into.index = below(cursor, spaces.globals, "global"); return;
    case I.blockType: into.blockType = blockType(cursor, spaces); return;
    case I.callIndirect: into.index = below(cursor, spaces.types, "type"); below(cursor, spaces.tables, "table"); return;
    case I.type: into.index = below(cursor, spaces.types, "type"); return;
    case I.table: below(cursor, spaces.tables, "table"); return;
    case I.tables: below(cursor, spaces.tables, "table"); below(cursor, spaces.tables, "table"); return;
    case I.elemTable: u32(cursor); below(cursor, spaces.tables, "table"); return;
    case I.memory: below(cursor, spaces.memories, "memory"); return;
    case I.memories: below(cursor, spaces.memories, "memory"); below(cursor, spaces.memories, "memory"); return;
    case I.dataMemory: u32(cursor); below(cursor, spaces.memories, "memory"); return;
    case I.brTable:
      into.targets.length = 0;
      for (let left = u32(cursor); left >= 0; left--) into.targets.push(u32(cursor));
      return;
    case I.tryTable:
      into.blockType = blockType(cursor, spaces);
      into.targets.length = 0;
      catches(cursor, into.targets);
      return;
    case I.types: for (let left = u32(cursor); left > 0; left--) valueType(cursor, spaces.types); return;
    case I.heapType: heapType(cursor, spaces.types); return;
    case I.bytes1: skip(cursor, 1); return;
    case I.bytes4: skip(cursor, 4); return;
    case I.bytes8: skip(cursor, 8); return;
    case I.bytes16: skip(cursor, 16); return;
    case I.memargLane: into.offset = memarg(cursor); skip(cursor, 1); return;
    default: refuse(cursor, unsupported(op, into.sub), into.at);
  }
}

function unsupported(op: number, sub: number): string {
  if (op === OP.gc) return "garbage-collected objects are not supported: they live outside the memory that is limited";
  const second = op >= OP.misc && op <= OP.atomic ? ` 0x${sub.toString(16)}` : "";
  return `opcode 0x${op.toString(16)}${second} is not supported`;
}
