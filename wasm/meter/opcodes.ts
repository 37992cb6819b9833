/** The opcodes that the pass itself reads or writes (core spec, 5.4). */
export const OP = {
  unreachable: 0x00, nop: 0x01, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, try: 0x06, catch: 0x07,
  throw: 0x08, rethrow: 0x09, throwRef: 0x0a, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e, return: 0x0f,
  call: 0x10, callIndirect: 0x11, returnCall: 0x12, returnCallIndirect: 0x13, callRef: 0x14,
  returnCallRef: 0x15, delegate: 0x18, catchAll: 0x19, drop: 0x1a, selectTyped: 0x1c, tryTable: 0x1f,
  localGet: 0x20, localSet: 0x21, localTee: 0x22, globalGet: 0x23, globalSet: 0x24,
  i32Store8: 0x3a, memorySize: 0x3f, i32Const: 0x41, i64Const: 0x42, f32Const: 0x43, f64Const: 0x44, i32Ne: 0x47, i32GtU: 0x4b, i32LeU: 0x4d,
  i64LtS: 0x53, i64GtU: 0x56, i32Add: 0x6a, i32Sub: 0x6b, i32ShrU: 0x76, i64Add: 0x7c, i64Sub: 0x7d, i64Shl: 0x86, select: 0x1b,
  i64ExtendI32U: 0xad,
  refNull: 0xd0, refFunc: 0xd2, brOnNull: 0xd5, brOnNonNull: 0xd6, gc: 0xfb, misc: 0xfc, simd: 0xfd, atomic: 0xfe,
} as const;

/** What follows an opcode. */
export const IMMEDIATE = {
  unknown: 0, none: 1, label: 2, blockType: 3, brTable: 4, tryTable: 5, index: 6, two: 7, types: 8,
  local: 9, global: 10, table: 11, callIndirect: 12, memory: 13, memarg: 14, memargLane: 15, s32: 16, s64: 17,
  bytes1: 18, bytes4: 19, bytes8: 20, bytes16: 21, heapType: 22, type: 23, dataMemory: 24, memories: 25,
  elemTable: 26, tables: 27, function: 28,
} as const;

type Row = readonly [first: number, last: number, immediate: number];

function table(size: number, rows: readonly Row[]): Uint8Array {
  const kinds = new Uint8Array(size);
  for (const [first, last, immediate] of rows) kinds.fill(immediate, first, last + 1);
  return kinds;
}

const I = IMMEDIATE;

/** Immediates of the one-byte opcodes, with tail calls, exceptions (new and legacy) and typed references. */
export const PLAIN = table(0x100, [
  [0x00, 0x01, I.none], [0x02, 0x04, I.blockType], [0x05, 0x05, I.none], [0x06, 0x06, I.blockType],
  [0x07, 0x08, I.index], [0x09, 0x09, I.label], [0x0a, 0x0b, I.none], [0x0c, 0x0d, I.label],
  [0x0e, 0x0e, I.brTable], [0x0f, 0x0f, I.none], [0x10, 0x10, I.function], [0x11, 0x11, I.callIndirect],
  [0x12, 0x12, I.function], [0x13, 0x13, I.callIndirect], [0x14, 0x15, I.type], [0x18, 0x18, I.label],
  [0x19, 0x1b, I.none], [0x1c, 0x1c, I.types], [0x1f, 0x1f, I.tryTable], [0x20, 0x22, I.local],
  [0x23, 0x24, I.global], [0x25, 0x26, I.table], [0x28, 0x3e, I.memarg], [0x3f, 0x40, I.memory],
  [0x41, 0x41, I.s32], [0x42, 0x42, I.s64], [0x43, 0x43, I.bytes4], [0x44, 0x44, I.bytes8],
  [0x45, 0xc4, I.none], [0xd0, 0xd0, I.heapType], [0xd1, 0xd1, I.none], [0xd2, 0xd2, I.function],
  [0xd3, 0xd4, I.none], [0xd5, 0xd6, I.label],
]);

/** Immediates after 0xFC: saturating conversions, bulk memory and tables, wide arithmetic. */
export const MISC = table(0x17, [
  [0, 7, I.none], [8, 8, I.dataMemory], [9, 9, I.index], [10, 10, I.memories], [11, 11, I.memory],
  [12, 12, I.elemTable], [13, 13, I.index], [14, 14, I.tables], [15, 17, I.table], [19, 22, I.none],
]);

/** Immediates after 0xFD: SIMD and relaxed SIMD. */
export const SIMD = table(0x114, [
  [0, 11, I.memarg], [12, 13, I.bytes16], [14, 20, I.none], [21, 34, I.bytes1], [35, 83, I.none],
  [84, 91, I.memargLane], [92, 93, I.memarg], [94, 0x113, I.none],
]);

/** Immediates after 0xFE: atomics. */
export const ATOMIC = table(0x4f, [[0, 2, I.memarg], [3, 3, I.bytes1], [0x10, 0x4e, I.memarg]]);

/** 0xFC operations whose work is as long as their topmost operand, an i32, says. */
export const BULK = { memoryInit: 8, memoryCopy: 10, memoryFill: 11, tableInit: 12, tableCopy: 14, tableGrow: 15, tableFill: 17 } as const;

const BULK_SUBS = new Set<number>(Object.values(BULK));

export function isBulk(sub: number): boolean {
  return BULK_SUBS.has(sub);
}
