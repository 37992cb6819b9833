import { WASM_PAGE } from "../engine/image.ts";

/** A memory that holds more than this share of what it may grow to is nearly full. */
const NEARLY_FULL = 3 / 4;

/**
 * True when a memory has come so near to what it may grow to that a trap is most likely an allocation that
 * failed where nothing expected it to: growing containers ask for an eighth and more of themselves at once.
 */
export function isNearlyFull(memory: WebAssembly.Memory, maximumBytes: number): boolean {
  return memory.buffer.byteLength > maximumBytes * NEARLY_FULL;
}

/** Pages that an allocator asks for at once, when a small object does not fit. */
const STEP = 2;

/**
 * True when a memory can't grow by even a small object's worth. It never shrinks, so this stays true once what filled
 * it is free again.
 */
export function isFull(memory: WebAssembly.Memory, maximumBytes: number): boolean {
  return memory.buffer.byteLength > maximumBytes - STEP * WASM_PAGE;
}
