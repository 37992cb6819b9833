import { type Globals, type Image, PAGE, restoreGlobals, type Run, WASM_PAGE } from "./image.ts";
import type { PageRecord } from "./page-record.ts";

/** How much is compared, and written when it differs, where nothing is known of it: large enough that the call costs nothing. */
const BLOCK = 65_536;
const ZEROS = Buffer.alloc(BLOCK);

/** What is known of a memory: the image that it is equal to in all pages that a record doesn't count. */
export interface Known {
  readonly image: Image;
  readonly record: PageRecord;
}

/**
 * Makes a used memory equal to an image, writing only what differs: pages that nobody touched are
 * never made real. False when the memory is larger than the image's, as it cannot shrink.
 * @param known spares looking at the other pages; its record then begins anew
 */
export function resetToImage(image: Image, memory: WebAssembly.Memory, globals: Globals, known?: Known): boolean {
  const missing = image.pages - memory.buffer.byteLength / WASM_PAGE;
  if (missing < 0) return false;
  if (missing > 0) memory.grow(missing);
  const bytes = Buffer.from(memory.buffer);
  if (known === undefined) restore(bytes, image, 0, bytes.length, BLOCK);
  else {
    for (const [from, to] of known.record.stretches(bytes.length)) restore(bytes, image, from, to, PAGE);
    for (const [from, to] of differences(known.image, image)) restore(bytes, image, from, to, PAGE);
    known.record.clear();
  }
  restoreGlobals(image, globals);
  return true;
}

/** Where a view of an image's bytes begins, so that two images can be told to hold the same bytes. */
interface Piece {
  readonly buffer: ArrayBufferLike;
  readonly at: number;
}

function pieceAt(run: Run | undefined, offset: number): Piece | undefined {
  if (run === undefined || run.offset > offset) return undefined;
  return { buffer: run.bytes.buffer, at: run.bytes.byteOffset + offset - run.offset };
}

/** The stretches in which two images don't hold the very same bytes, by where these are and not by what they are. */
export function* differences(one: Image, other: Image): Generator<readonly [from: number, to: number]> {
  if (one === other) return;
  const end = Math.max(one.pages, other.pages) * WASM_PAGE;
  let [first, second] = [0, 0];
  for (let at = 0; at < end; ) {
    while (isPast(one.runs[first], at)) first += 1;
    while (isPast(other.runs[second], at)) second += 1;
    const [left, right] = [one.runs[first], other.runs[second]];
    const to = Math.min(boundary(left, at, end), boundary(right, at, end));
    const [here, there] = [pieceAt(left, at), pieceAt(right, at)];
    if (here?.buffer !== there?.buffer || here?.at !== there?.at) yield [at, to];
    at = to;
  }
}

function isPast(run: Run | undefined, at: number): boolean {
  return run !== undefined && run.offset + run.bytes.length <= at;
}

/** Where a run that isn't past begins or ends after `at`. */
function boundary(run: Run | undefined, at: number, end: number): number {
  if (run === undefined) return end;
  return run.offset > at ? run.offset : run.offset + run.bytes.length;
}

/** Makes a stretch of a memory equal to the image. */
function restore(bytes: Buffer, { runs }: Image, from: number, to: number, block: number): void {
  let at = from;
  for (let index = firstAfter(runs, from); at < to; index += 1) {
    const run = runs[index];
    if (run === undefined || run.offset >= to) break;
    const start = Math.max(run.offset, from);
    const end = Math.min(run.offset + run.bytes.length, to);
    clear(bytes, at, start, block);
    overwrite(bytes, run.bytes.subarray(start - run.offset, end - run.offset), start, block);
    at = end;
  }
  clear(bytes, at, to, block);
}

/** Index of the first run that ends after an offset. */
function firstAfter(runs: readonly Run[], offset: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(runs[middle], offset)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function clear(bytes: Buffer, from: number, to: number, block: number): void {
  for (let at = from; at < to; at += block) {
    const end = Math.min(at + block, to);
    if (bytes.compare(ZEROS, 0, end - at, at, end) !== 0) bytes.fill(0, at, end);
  }
}

function overwrite(bytes: Buffer, source: Uint8Array, into: number, block: number): void {
  for (let at = 0; at < source.length; at += block) {
    const end = Math.min(at + block, source.length);
    if (bytes.compare(source, at, end, into + at, into + end) !== 0) bytes.set(source.subarray(at, end), into + at);
  }
}
