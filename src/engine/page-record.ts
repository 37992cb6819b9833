import { exportedRecord, PLAIN_EXPORT } from "./exports.ts";
import { PAGE } from "./image.ts";

/** In a larger memory the guest's own marks don't tell all (wasm/meter/marks.ts, `rangeOf`). */
const MAX_RECORDED = 2 ** 31;

/** The pages that may have been written to since a memory was last equal to an image. */
export interface PageRecord {
  /** Marks bytes that the host writes, or may write; what leaves the memory is cut off. */
  mark(pointer: number, length: number): void;
  /**
   * From now on all pages count, until `clear`: the guest was ended amid its work, and some of its marks with it. One that has
   * its functions twice goes on without marks.
   */
  lose(): void;
  /** Begins anew. */
  clear(): void;
  /** Whether the page at an offset counts. */
  has(offset: number): boolean;
  /** The stretches of the first `length` bytes that count, in order and without overlap. */
  stretches(length: number): Iterable<readonly [from: number, to: number]>;
}

/**
 * The record of an instance's module, which marks what it writes in a memory that none of its own code reaches.
 * A mark speaks for its page and the next one.
 * @throws BelljarError BAD_MODULE when the module keeps no record
 */
export function pageRecord(instance: WebAssembly.Instance, memory: WebAssembly.Memory): PageRecord {
  // Its size is fixed, so that its buffer stays the same.
  const marks = Buffer.from(exportedRecord(instance).buffer);
  const plain = instance.exports[PLAIN_EXPORT];
  let lost = false;
  const set = (isLost: boolean): void => {
    lost = isLost;
    if (plain instanceof WebAssembly.Global) plain.value = isLost ? 1 : 0;
  };
  const isWhole = (): boolean => lost || memory.buffer.byteLength > MAX_RECORDED;

  return {
    mark(pointer, length) {
      const first = (pointer >>> 0) / PAGE | 0;
      const last = Math.min(marks.length - 1, Math.floor(((pointer >>> 0) + length - 1) / PAGE));
      for (let page = first; page <= last; page += 1) marks[page] = 1;
    },
    lose: () => set(true),
    clear() {
      set(false);
      const used = marks.subarray(0, memory.buffer.byteLength / PAGE);
      for (let at = used.indexOf(1); at >= 0; at = used.indexOf(1, at)) {
        const end = used.indexOf(0, at);
        used.fill(0, at, end < 0 ? used.length : end);
      }
    },
    has(offset) {
      const page = offset / PAGE;
      return isWhole() || marks[page] === 1 || (page > 0 && marks[page - 1] === 1);
    },
    *stretches(length) {
      if (isWhole()) return yield [0, length];
      const used = marks.subarray(0, length / PAGE);
      for (let at = used.indexOf(1); at >= 0; ) {
        let end = used.indexOf(0, at);
        // Two runs of marks with one page between them are one stretch.
        while (end >= 0 && used[end + 1] === 1) end = used.indexOf(0, end + 1);
        if (end < 0) return yield [at * PAGE, length];
        yield [at * PAGE, Math.min(length, (end + 1) * PAGE)];
        at = used.indexOf(1, end);
      }
    },
  };
}
