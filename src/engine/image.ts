import { BelljarError } from "../base/errors.ts";

/** Granularity of an image, in bytes: the page size of the machines it runs on. */
export const PAGE = 4_096;
/** Page of WebAssembly's own, in which memories are sized and grown. */
export const WASM_PAGE = 65_536;
const ZEROS = Buffer.alloc(PAGE);

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

/**
 * The same without a copy: what isn't a view of the base's is one of the memory, and true until that is written to.
 * @param differs false for the offset of a page that is known to be the base's
 */
export function viewImage(
  memory: WebAssembly.Memory,
  globals: Globals,
  addresses: Image["addresses"],
  base?: Pick<Image, "runs">,
  differs?: (offset: number) => boolean,
): Image {
  const bytes = new Uint8Array(memory.buffer);
  const runs: Run[] = [];
  for (const { offset, end, source } of stretches(Buffer.from(memory.buffer), base?.runs ?? [], differs)) {
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
function* stretches(bytes: Buffer, base: readonly Run[], differs: (offset: number) => boolean = () => true): Generator<Stretch> {
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
      if (!differs(offset)) now = inside;
      else if (inside !== undefined && bytes.compare(inside.bytes, at, at + PAGE, offset, offset + PAGE) === 0) now = inside;
      else if (bytes.compare(ZEROS, 0, PAGE, offset, offset + PAGE) !== 0) now = "own";
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

/** Writes an image into a memory that is all zero and of the image's size, and its globals. */
export function applyImage(image: Image, memory: WebAssembly.Memory, globals: Globals): void {
  fillMemory(image, memory);
  restoreGlobals(image, globals);
}

/** The memory's part of it, which needs no instance yet. `copy` writes the first bytes over the second, as many as they are. */
export function fillMemory(image: Image, memory: WebAssembly.Memory, copy = (from: Uint8Array, into: Uint8Array): void => into.set(from)): void {
  for (const { offset, bytes } of image.runs) copy(bytes, new Uint8Array(memory.buffer, offset, bytes.length));
}

/** @throws BelljarError BAD_IMAGE when the module lacks a global of the image. */
export function restoreGlobals(image: Image, globals: Globals): void {
  for (const [name, value] of image.globals) {
    const global = globals.get(name);
    if (global === undefined) throw new BelljarError("BAD_IMAGE", `the module has no global ${name}`);
    global.value = value;
  }
}
