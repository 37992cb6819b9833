import { boundaryAfter, boundaryBefore } from "../base/text.ts";

/** What is kept of one stream of a guest. */
export interface Output {
  /** Takes bytes; they are copied as far as they are kept. */
  write(bytes: Uint8Array): void;
  /** The stream as text, always well formed: bytes that are no UTF-8 read as U+FFFD. */
  text(): OutputText;
  /** The last line that says anything, cut to `maxChars`; "" when there is none. */
  newestLine(maxChars?: number): string;
}

export interface OutputText {
  readonly text: string;
  /** True when the middle was cut; the text then says how much, between head and tail. */
  readonly truncated: boolean;
  /** Bytes that were written in all. */
  readonly total: number;
}

const FIRST_CAPACITY = 1_024;
const LINE_BYTES = 2_048;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Keeps the first and the last half of `limitBytes`; memory and time of a flood don't grow with it. */
export function createOutput(limitBytes: number): Output {
  const headLimit = limitBytes - Math.floor(limitBytes / 2);
  const tailLimit = limitBytes - headLimit;
  let head = new Uint8Array(0);
  let headSize = 0;
  let ring = new Uint8Array(0);
  let tailTotal = 0;

  const keepHead = (bytes: Uint8Array): number => {
    const count = Math.min(bytes.length, headLimit - headSize);
    if (count <= 0) return 0;
    if (headSize + count > head.length) {
      const larger = new Uint8Array(Math.min(headLimit, Math.max(FIRST_CAPACITY, (headSize + count) * 2)));
      larger.set(head.subarray(0, headSize));
      head = larger;
    }
    head.set(bytes.subarray(0, count), headSize);
    headSize += count;
    return count;
  };

  const keepTail = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    if (ring.length === 0) ring = new Uint8Array(tailLimit);
    tailTotal += bytes.length;
    const kept = bytes.subarray(Math.max(0, bytes.length - tailLimit));
    const start = (tailTotal - kept.length) % tailLimit;
    const first = Math.min(kept.length, tailLimit - start);
    ring.set(kept.subarray(0, first), start);
    ring.set(kept.subarray(first), 0);
  };

  const tail = (): Uint8Array => {
    if (tailTotal <= tailLimit) return ring.subarray(0, tailTotal);
    const start = tailTotal % tailLimit;
    return concat(ring.subarray(start), ring.subarray(0, start));
  };

  return {
    write(bytes) {
      keepTail(bytes.subarray(keepHead(bytes)));
    },
    text() {
      const total = headSize + tailTotal;
      const begin = head.subarray(0, headSize);
      const end = tail();
      if (tailTotal <= tailLimit) return { text: decoder.decode(concat(begin, end)), truncated: false, total };
      const beginSize = boundaryBefore(begin, begin.length);
      const endStart = boundaryAfter(end, 0);
      const cut = total - beginSize - (end.length - endStart);
      const marker = `\n… [${cut.toLocaleString("en-US")} bytes cut] …\n`;
      const text = decoder.decode(begin.subarray(0, beginSize)) + marker + decoder.decode(end.subarray(endStart));
      return { text, truncated: true, total };
    },
    newestLine(maxChars = 200) {
      const begin = head.subarray(Math.max(0, headSize - LINE_BYTES), headSize);
      const end = tail();
      const newest = end.length >= LINE_BYTES ? end.subarray(end.length - LINE_BYTES) : concat(begin, end);
      const lines = decoder.decode(newest).split(/[\r\n]+/);
      const line = lines.findLast((one) => one.trim() !== "") ?? "";
      return line.trim().slice(0, maxChars).toWellFormed();
    },
  };
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
