import { BelljarError } from "../base/errors.ts";
import { type Image, type Run, WASM_PAGE } from "./image.ts";

const MAGIC = 0x4d494a42;
const HEADER = 16;
const ROW = 12;

/** Where a run's bytes are: in this file, or in the base's at the same place of memory. */
const OWN = 0;
const FROM_BASE = 1;

/**
 * An image as one file: four u32 (magic, header length, run count, reserved), header JSON, per run
 * three u32 (offset, length, whose), then the bytes of the runs that are the image's own.
 * @param base an image whose bytes the file need not hold; to be given again when it is read
 * @param shared true for a file in memory that all threads can read
 */
export function encodeImage(image: Image, { base, shared = false }: { base?: Image; shared?: boolean } = {}): Uint8Array {
  const globals = [...image.globals].map(([name, value]) => [name, typeof value, String(value)]);
  const json = Buffer.from(JSON.stringify({ pages: image.pages, globals, addresses: image.addresses }));
  const known = new Set((base?.runs ?? []).map((run) => run.bytes.buffer));
  const isOwn = (run: Run): boolean => !known.has(run.bytes.buffer);
  const own = image.runs.filter(isOwn);
  const tableStart = HEADER + json.length;
  const dataStart = tableStart + image.runs.length * ROW;
  const length = own.reduce((sum, run) => sum + run.bytes.length, dataStart);
  const file = Buffer.from(shared ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
  file.writeUInt32LE(MAGIC, 0);
  file.writeUInt32LE(json.length, 4);
  file.writeUInt32LE(image.runs.length, 8);
  file.set(json, HEADER);
  for (const [index, run] of image.runs.entries()) {
    const row = tableStart + index * ROW;
    file.writeUInt32LE(run.offset, row);
    file.writeUInt32LE(run.bytes.length, row + 4);
    file.writeUInt32LE(isOwn(run) ? OWN : FROM_BASE, row + 8);
  }
  let at = dataStart;
  for (const run of own) {
    file.set(run.bytes, at);
    at += run.bytes.length;
  }
  return file;
}

/**
 * Reads an image file without copying: its runs are views of `file` and of the base.
 * @throws BelljarError BAD_IMAGE when the file is not one, or does not hold what its table says.
 */
export function decodeImage(file: Uint8Array, base?: Image): Image {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (view.length < HEADER || view.readUInt32LE(0) !== MAGIC) throw bad("not an image file");
  const tableStart = HEADER + view.readUInt32LE(4);
  const count = view.readUInt32LE(8);
  let at = tableStart + count * ROW;
  if (at > view.length) throw bad(`cut off: ${view.length} bytes, tables need ${at}`);
  const header: { pages: number; globals: [string, string, string][]; addresses: Record<string, number> } = JSON.parse(
    view.toString("utf8", HEADER, tableStart),
  );
  const runs: Run[] = [];
  const fromBase = baseReader(base);
  for (let index = 0; index < count; index += 1) {
    const row = tableStart + index * ROW;
    const offset = view.readUInt32LE(row);
    const length = view.readUInt32LE(row + 4);
    if (offset + length > header.pages * WASM_PAGE) throw bad(`run ${index} leaves the memory`);
    if (view.readUInt32LE(row + 8) === FROM_BASE) {
      runs.push({ offset, bytes: fromBase(offset, length) });
      continue;
    }
    if (at + length > view.length) throw bad(`run ${index} leaves the file`);
    runs.push({ offset, bytes: file.subarray(at, at + length) });
    at += length;
  }
  const globals = header.globals.map(([name, type, value]) => [name, type === "bigint" ? BigInt(value) : Number(value)] as const);
  return { pages: header.pages, globals: new Map(globals), runs, addresses: header.addresses };
}

/** Finds the base's bytes at places that are asked for in their order. */
function baseReader(base: Image | undefined): (offset: number, length: number) => Uint8Array {
  let index = 0;
  return (offset, length) => {
    let run = base?.runs[index];
    while (run !== undefined && run.offset + run.bytes.length <= offset) run = base?.runs[(index += 1)];
    if (run === undefined || run.offset > offset || offset + length > run.offset + run.bytes.length) {
      throw bad("it stands on another image than the one at hand");
    }
    return run.bytes.subarray(offset - run.offset, offset - run.offset + length);
  };
}

function bad(why: string): BelljarError {
  return new BelljarError("BAD_IMAGE", why);
}
