import { BelljarError } from "../base/errors.ts";

/** Granularity of an image, in bytes: the page size of the machines it runs on. */
const PAGE = 4_096;
/** How much is compared or copied in one step; large enough that the call costs nothing. */
const BLOCK = 65_536;
const WASM_PAGE = 65_536;
const MAGIC = 0x4d494a42;
const HEADER = 16;
const ZEROS = Buffer.alloc(BLOCK);

/** A stretch of linear memory that is not all zero. */
interface Run {
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
  readonly runs: readonly Run[];
  /** Where in memory the guest keeps what its host must know, by name. */
  readonly addresses: Readonly<Record<string, number>>;
}

/** The mutable globals that metering exported, by export name. */
export type Globals = ReadonlyMap<string, WebAssembly.Global>;

/** Copies what is not zero out of a memory; the copy is the caller's. */
export function captureImage(memory: WebAssembly.Memory, globals: Globals, addresses: Image["addresses"]): Image {
  const bytes = Buffer.from(memory.buffer);
  const runs: Run[] = [];
  const zeros = ZEROS.subarray(0, PAGE);
  let start = -1;
  for (let offset = 0; offset <= bytes.length; offset += PAGE) {
    const filled = offset < bytes.length && bytes.compare(zeros, 0, PAGE, offset, offset + PAGE) !== 0;
    if (filled && start < 0) start = offset;
    if (!filled && start >= 0) {
      runs.push({ offset: start, bytes: Uint8Array.from(bytes.subarray(start, offset)) });
      start = -1;
    }
  }
  return {
    pages: bytes.length / WASM_PAGE,
    globals: new Map([...globals].map(([name, global]) => [name, global.value])),
    runs,
    addresses,
  };
}

/** Writes an image into a memory that is all zero and of the image's size. */
export function applyImage(image: Image, memory: WebAssembly.Memory, globals: Globals): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const run of image.runs) bytes.set(run.bytes, run.offset);
  restoreGlobals(image, globals);
}

/**
 * Makes a used memory equal to the image again, writing only what differs: pages that nobody
 * touched are never made real. False when the memory has grown since, as it cannot shrink.
 */
export function resetToImage(image: Image, memory: WebAssembly.Memory, globals: Globals): boolean {
  const bytes = Buffer.from(memory.buffer);
  if (bytes.length !== image.pages * WASM_PAGE) return false;
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

/** The image as one file: four u32 (magic, header length, run count, reserved), header JSON, runs (offset, length), bytes. */
export function encodeImage(image: Image): Uint8Array {
  const globals = [...image.globals].map(([name, value]) => [name, typeof value, String(value)]);
  const json = Buffer.from(JSON.stringify({ pages: image.pages, globals, addresses: image.addresses }));
  const dataStart = HEADER + json.length + image.runs.length * 8;
  const total = image.runs.reduce((sum, run) => sum + run.bytes.length, 0);
  const file = Buffer.alloc(dataStart + total);
  file.writeUInt32LE(MAGIC, 0);
  file.writeUInt32LE(json.length, 4);
  file.writeUInt32LE(image.runs.length, 8);
  file.set(json, HEADER);
  let table = HEADER + json.length;
  let at = dataStart;
  for (const run of image.runs) {
    file.writeUInt32LE(run.offset, table);
    file.writeUInt32LE(run.bytes.length, table + 4);
    file.set(run.bytes, at);
    table += 8;
    at += run.bytes.length;
  }
  return file;
}

/**
 * Reads an image file without copying its runs: they are views of `file`.
 * @throws BelljarError BAD_IMAGE when the file is not one, or does not hold what its table says.
 */
export function decodeImage(file: Uint8Array): Image {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (view.length < HEADER || view.readUInt32LE(0) !== MAGIC) {
    throw new BelljarError("BAD_IMAGE", "not an image file");
  }
  const jsonEnd = HEADER + view.readUInt32LE(4);
  const count = view.readUInt32LE(8);
  let at = jsonEnd + count * 8;
  if (at > view.length) throw new BelljarError("BAD_IMAGE", `cut off: ${view.length} bytes, tables need ${at}`);
  const header: { pages: number; globals: [string, string, string][]; addresses: Record<string, number> } = JSON.parse(
    view.toString("utf8", HEADER, jsonEnd),
  );
  const runs: Run[] = [];
  for (let index = 0; index < count; index += 1) {
    const offset = view.readUInt32LE(jsonEnd + index * 8);
    const length = view.readUInt32LE(jsonEnd + index * 8 + 4);
    if (at + length > view.length || offset + length > header.pages * WASM_PAGE) {
      throw new BelljarError("BAD_IMAGE", `run ${index} leaves the file or the memory`);
    }
    runs.push({ offset, bytes: file.subarray(at, at + length) });
    at += length;
  }
  return {
    pages: header.pages,
    globals: new Map(header.globals.map(([name, type, value]) => [name, type === "bigint" ? BigInt(value) : Number(value)])),
    runs,
    addresses: header.addresses,
  };
}
