import type { Instruction } from "./instruction.ts";
import { BULK, OP } from "./opcodes.ts";
import { RECORD_PAGE } from "./record.ts";

/** Every call of a function costs one, whatever it holds. */
export const ENTRY_COST = 1;

const FREE = new Set<number>([
  OP.nop, OP.drop, OP.block, OP.loop, OP.unreachable, OP.return, OP.else, OP.end, OP.try, OP.catch, OP.catchAll, OP.delegate,
]);

/**
 * Fuel of each one-byte opcode, and of each prefix: wasmtime's default table (crates/environ/src/tunables.rs),
 * one for all but what makes no code. Bulk operations cost their length besides, as there.
 */
export const COST = Uint8Array.from({ length: 256 }, (_, opcode) => (FREE.has(opcode) ? 0 : 1));

/** Fills and copies up to so many bytes, when the code says how many, are charged as any instruction is; one mark has to reach over them. */
export const MAX_FIXED = RECORD_PAGE;

/** The bytes of a short fill or copy whose length stands in the code; undefined for all else. */
function fixedLength({ op, sub, pushed }: Instruction): number | undefined {
  if (op !== OP.misc || (sub !== BULK.memoryCopy && sub !== BULK.memoryFill)) return undefined;
  return pushed !== undefined && pushed <= MAX_FIXED ? pushed : undefined;
}

/** Whether its length is among its cost. */
export function hasFixedLength(instruction: Instruction): boolean {
  return fixedLength(instruction) !== undefined;
}

/** Fuel of an instruction, without the length of a bulk operation that only shows when it runs. */
export function costOf(instruction: Instruction): number {
  return (COST[instruction.op] ?? 1) + (fixedLength(instruction) ?? 0);
}
