import type { Instruction } from "./instruction.ts";
import { OP } from "./opcodes.ts";

type Row = readonly [first: number, last: number, pops: number, pushes: number];

const UNKNOWN = 0xff;

/** Operands popped, times 16, and pushed. */
function table(size: number, rows: readonly Row[]): Uint8Array {
  const kinds = new Uint8Array(size).fill(UNKNOWN);
  for (const [first, last, pops, pushes] of rows) kinds.fill(pops * 16 + pushes, first, last + 1);
  return kinds;
}

/** One-byte opcodes, but for those whose operands their type tells (core spec, 3.3). */
const PLAIN = table(0x100, [
  [0x00, 0x01, 0, 0], [0x02, 0x03, 0, 0], [0x04, 0x04, 1, 0], [0x05, 0x07, 0, 0], [0x0b, 0x0c, 0, 0],
  [0x0d, 0x0e, 1, 0], [0x0f, 0x0f, 0, 0], [0x18, 0x19, 0, 0], [0x1a, 0x1a, 1, 0], [0x1b, 0x1c, 3, 1], [0x1f, 0x1f, 0, 0],
  [0x20, 0x20, 0, 1], [0x21, 0x21, 1, 0], [0x22, 0x22, 1, 1], [0x23, 0x23, 0, 1], [0x24, 0x24, 1, 0], [0x25, 0x25, 1, 1], [0x26, 0x26, 2, 0],
  [0x28, 0x35, 1, 1], [0x36, 0x3e, 2, 0], [0x3f, 0x3f, 0, 1], [0x40, 0x40, 1, 1], [0x41, 0x44, 0, 1],
  [0x45, 0x45, 1, 1], [0x46, 0x4f, 2, 1], [0x50, 0x50, 1, 1], [0x51, 0x66, 2, 1], [0x67, 0x69, 1, 1], [0x6a, 0x78, 2, 1],
  [0x79, 0x7b, 1, 1], [0x7c, 0x8a, 2, 1], [0x8b, 0x91, 1, 1], [0x92, 0x98, 2, 1], [0x99, 0x9f, 1, 1], [0xa0, 0xa6, 2, 1],
  [0xa7, 0xc4, 1, 1], [0xd0, 0xd0, 0, 1], [0xd1, 0xd1, 1, 1], [0xd2, 0xd2, 0, 1], [0xd4, 0xd5, 1, 1], [0xd6, 0xd6, 1, 0],
]);

/** After 0xFC. */
const MISC = table(0x17, [
  [0, 7, 1, 1], [8, 8, 3, 0], [9, 9, 0, 0], [10, 12, 3, 0], [13, 13, 0, 0], [14, 14, 3, 0], [15, 15, 2, 1], [16, 16, 0, 1],
  [17, 17, 3, 0], [19, 20, 4, 2], [21, 22, 2, 2],
]);

/** After 0xFD: SIMD and relaxed SIMD. */
const SIMD = table(0x114, [
  // The most are binary; what isn't stands over it.
  [14, 255, 2, 1], [0, 10, 1, 1], [11, 11, 2, 0], [12, 12, 0, 1], [13, 13, 2, 1], [15, 20, 1, 1],
  [21, 22, 1, 1], [24, 25, 1, 1], [27, 27, 1, 1], [29, 29, 1, 1], [31, 31, 1, 1], [33, 33, 1, 1],
  [77, 77, 1, 1], [82, 82, 3, 1], [83, 83, 1, 1], [88, 91, 2, 0], [92, 100, 1, 1], [103, 106, 1, 1], [116, 117, 1, 1],
  [122, 122, 1, 1], [124, 129, 1, 1], [131, 132, 1, 1], [135, 138, 1, 1], [148, 148, 1, 1], [160, 161, 1, 1],
  [163, 164, 1, 1], [167, 170, 1, 1], [192, 193, 1, 1], [195, 196, 1, 1], [199, 202, 1, 1], [224, 225, 1, 1], [227, 227, 1, 1],
  [236, 237, 1, 1], [239, 239, 1, 1], [248, 255, 1, 1],
  [0x100, 0x100, 2, 1], [0x101, 0x104, 1, 1], [0x105, 0x10c, 3, 1], [0x10d, 0x112, 2, 1], [0x113, 0x113, 3, 1],
]);

/** After 0xFE, but for what writes. */
const ATOMIC = table(0x4f, [[0, 0, 2, 1], [1, 2, 3, 1], [3, 3, 0, 0], [0x10, 0x16, 1, 1]]);

/** How many operands an instruction pops, times 16, and how many it pushes; undefined where its type tells, or for atomic writes. */
export function arityOf({ op, sub }: Instruction): number | undefined {
  const kinds = op === OP.misc ? MISC : op === OP.simd ? SIMD : op === OP.atomic ? ATOMIC : undefined;
  const found = kinds === undefined ? PLAIN[op] : kinds[sub];
  return found === UNKNOWN ? undefined : found;
}

const STORES: ReadonlyMap<number, number> = new Map([[0x36, 4], [0x37, 8], [0x38, 4], [0x39, 8], [0x3a, 1], [0x3b, 2], [0x3c, 1], [0x3d, 2], [0x3e, 4]]);
const VECTOR_STORES: ReadonlyMap<number, number> = new Map([[11, 16], [88, 1], [89, 2], [90, 4], [91, 8]]);

/** Bytes that a store writes; undefined for what is none. */
export function storedBytes({ op, sub }: Instruction): number | undefined {
  return op === OP.simd ? VECTOR_STORES.get(sub) : STORES.get(op);
}
