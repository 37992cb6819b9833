import type { Report } from "../policy/outcome.ts";

/** What a turn is told to have ended in when it trapped for want of memory. */
export const OUT_OF_MEMORY: Report = { status: "error", error: { type: "MemoryError", message: "out of memory" } };

/**
 * True when a memory has come so near to what it may grow to that a trap is most likely an allocation that
 * failed where nothing expected it to: growing containers ask for an eighth and more of themselves at once.
 */
export function isNearlyFull(memory: WebAssembly.Memory, maximumBytes: number): boolean {
  return memory.buffer.byteLength > maximumBytes * 0.8;
}
