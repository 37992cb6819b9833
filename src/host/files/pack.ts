import { BelljarError } from "../../base/errors.ts";

/** A folder at rest: files by relative path, all views of one buffer. */
export type Pack = ReadonlyMap<string, Uint8Array>;

const MAGIC = 0x4b504a42;
const HEADER_BYTES = 8;

/**
 * One file that holds a folder: u32 magic, u32 length of the index, the index as JSON
 * `[path, offset, length][]` (offsets from the end of the index), then the bytes.
 */
export function encodePack(files: Pack): Uint8Array<ArrayBuffer> {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  let total = 0;
  const rows = sorted.map(([path, bytes]) => {
    const row = [path, total, bytes.length] as const;
    total += bytes.length;
    return row;
  });
  const index = new TextEncoder().encode(JSON.stringify(rows));
  const start = HEADER_BYTES + index.length;
  const out = new Uint8Array(start + total);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, index.length, true);
  out.set(index, HEADER_BYTES);
  sorted.forEach(([, bytes], at) => out.set(bytes, start + (rows[at]?.[1] ?? 0)));
  return out;
}

/**
 * Reads a pack without copying its content; the buffer may be shared between threads.
 * @throws BelljarError ASSET_MISSING when the bytes are not a whole pack.
 */
export function decodePack(bytes: Uint8Array): Pack {
  const bad = (why: string): never => {
    throw new BelljarError("ASSET_MISSING", `not a pack of files: ${why}`);
  };
  if (bytes.length < HEADER_BYTES) bad("too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) bad("wrong magic");
  const start = HEADER_BYTES + view.getUint32(4, true);
  if (start > bytes.length) bad("index cut off");
  // A decoder refuses shared memory, so the index is copied out first.
  const rows: unknown = JSON.parse(new TextDecoder().decode(bytes.slice(HEADER_BYTES, start)));
  if (!Array.isArray(rows)) return bad("no index");
  const files = new Map<string, Uint8Array>();
  for (const row of rows) {
    const [path, offset, length] = Array.isArray(row) ? row : [];
    if (typeof path !== "string" || !isCount(offset) || !isCount(length)) return bad("bad row");
    if (start + offset + length > bytes.length) bad(`${path} cut off`);
    files.set(path, bytes.subarray(start + offset, start + offset + length));
  }
  return files;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
