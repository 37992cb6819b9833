import { BelljarError } from "../base/errors.ts";

/** Granularity of an image, in bytes: the page size of the machines it runs on. */
export const PAGE = 4_096;
/** Page of WebAssembly's own, in which memories are sized and grown. */
export const WASM_PAGE = 65_536;
/** How much is compared or copied in one step; large enough that the call costs nothing. */
const BLOCK = 65_536;
const ZEROS = Buffer.alloc(BLOCK);

/** A stretch of linear memory that is not all zero. */
export interface Run {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * A guest's linear memory and mutable globals at rest. Read-only and shared: many instances are
 * made from one image, and none may write to its bytes.
 */
export interface Image {
  /** Size of the memory, in Wasm pages of 64 KiB. */
  readonly pages: number;
  /** Export name of each mutable global, and its value. */
  readonly globals: ReadonlyMap<string, number | bigint>;
  /** In the order of their offsets, without overlap. */
  readonly runs: readonly Run[];
  /** Where in memory the guest keeps what its host must know, by name. */
  readonly addresses: Readonly<Record<string, number>>;
}

/** The mutable globals that metering exported, by export name. */
export type Globals = ReadonlyMap<string, WebAssembly.Global>;

/**
 * Copies what is not zero out of a memory; the copy is the caller's. Of what is the same in `base`
 * nothing is copied: the image's runs are views of the base's.
 */
export function captureImage(...[memory, ...rest]: Parameters<typeof viewImage>): Image {
  const { runs, ...image } = viewImage(memory, ...rest);
  return { ...image, runs: runs.map(({ offset, bytes }) => ({ offset, bytes: bytes.buffer === memory.buffer ? bytes.slice() : bytes })) };
}

/** The same without a copy: what isn't a view of the base's is one of the memory, and true until that is written to. */
export function viewImage(
  memory: WebAssembly.Memory,
  globals: Globals,
  addresses: Image["addresses"],
  base?: Pick<Image, "runs">,
): Image {
  const bytes = new Uint8Array(memory.buffer);
  const runs: Run[] = [];
  for (const { offset, end, source } of stretches(Buffer.from(memory.buffer), base?.runs ?? [])) {
    runs.push({ offset, bytes: source ?? bytes.subarray(offset, end) });
  }
  return {
    pages: bytes.length / WASM_PAGE,
    globals: new Map([...globals].map(([name, global]) => [name, global.value])),
    runs,
    addresses,
  };
}

interface Stretch {
  readonly offset: number;
  readonly end: number;
  /** The base's bytes, where they are the same. */
  readonly source?: Uint8Array;
}

/** Cuts a memory into what is the base's, and what is neither that nor zero; neighbours of one kind are joined. */
function* stretches(bytes: Buffer, base: readonly Run[]): Generator<Stretch> {
  const zeros = ZEROS.subarray(0, PAGE);
  let runIndex = 0;
  let start = 0;
  let kind: Run | "own" | undefined;
  for (let offset = 0; offset <= bytes.length; offset += PAGE) {
    let run = base[runIndex];
    while (run !== undefined && run.offset + run.bytes.length <= offset) run = base[++runIndex];
    let now: typeof kind;
    if (offset < bytes.length) {
      const inside = run !== undefined && run.offset <= offset ? run : undefined;
      const at = offset - (inside?.offset ?? 0);
      if (inside !== undefined && bytes.compare(inside.bytes, at, at + PAGE, offset, offset + PAGE) === 0) now = inside;
      else if (bytes.compare(zeros, 0, PAGE, offset, offset + PAGE) !== 0) now = "own";
    }
    if (now === kind) continue;
    if (kind === "own") yield { offset: start, end: offset };
    else if (kind !== undefined) {
      yield { offset: start, end: offset, source: kind.bytes.subarray(start - kind.offset, offset - kind.offset) };
    }
    start = offset;
    kind = now;
  }
}

/** Writes an image into a memory that is all zero and of the image's size. */
export function applyImage(image: Image, memory: WebAssembly.Memory, globals: Globals): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const run of image.runs) bytes.set(run.bytes, run.offset);
  restoreGlobals(image, globals);
}

/**
 * Makes a used memory equal to an image, writing only what differs: pages that nobody touched are
 * never made real. False when the memory is larger than the image's, as it cannot shrink.
 */
export function resetToImage(image: Image, memory: WebAssembly.Memory, globals: Globals): boolean {
  const missing = image.pages - memory.buffer.byteLength / WASM_PAGE;
  if (missing < 0) return false;
  if (missing > 0) memory.grow(missing);
  const bytes = Buffer.from(memory.buffer);
  let at = 0;
  for (const run of image.runs) {
    clear(bytes, at, run.offset);
    overwrite(bytes, run);
    at = run.offset + run.bytes.length;
  }
  clear(bytes, at, bytes.length);
  restoreGlobals(image, globals);
  return true;
}

/** @throws BelljarError BAD_IMAGE when the module lacks a global of the image. */
function restoreGlobals(image: Image, globals: Globals): void {
  for (const [name, value] of image.globals) {
    const global = globals.get(name);
    if (global === undefined) throw new BelljarError("BAD_IMAGE", `the module has no global ${name}`);
    global.value = value;
  }
}

function clear(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at += BLOCK) {
    const end = Math.min(at + BLOCK, to);
    if (bytes.compare(ZEROS, 0, end - at, at, end) !== 0) bytes.fill(0, at, end);
  }
}

function overwrite(bytes: Buffer, run: Run): void {
  for (let at = 0; at < run.bytes.length; at += BLOCK) {
    const end = Math.min(at + BLOCK, run.bytes.length);
    if (bytes.compare(run.bytes, at, end, run.offset + at, run.offset + end) !== 0) {
      bytes.set(run.bytes.subarray(at, end), run.offset + at);
    }
  }
}
