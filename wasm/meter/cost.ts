import { OP } from "./opcodes.ts";

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
