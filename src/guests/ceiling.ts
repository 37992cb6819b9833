/** A memory that holds more than this share of what it may grow to is nearly full. */
const NEARLY_FULL = 3 / 4;

/**
 * True when a memory has come so near to what it may grow to that a trap is most likely an allocation that
 * failed where nothing expected it to: growing containers ask for an eighth and more of themselves at once.
 */
export function isNearlyFull(memory: WebAssembly.Memory, maximumBytes: number): boolean {
  return memory.buffer.byteLength > maximumBytes * NEARLY_FULL;
}
