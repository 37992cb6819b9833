import { promisify } from "node:util";
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import { BelljarError } from "../base/errors.ts";

const MAGIC = 0x4b424a42;
const HEADER = 16;
/** Smaller ones take more of the file, larger ones leave the processor's caches while they are unpacked. */
const BLOCK = 1_048_576;
/** What of zstd's own levels still packs some megabytes a second. */
const LEVEL = 9;
const DONE = 1;

/** Room for one unpacked file, for all threads; what nothing was unpacked into costs no memory. */
export interface Room {
  readonly bytes: SharedArrayBuffer;
  /** One byte for each block: whether it is there. */
  readonly done: SharedArrayBuffer;
}

/** A file in blocks that are compressed each for itself: four u32 (magic, bytes of a block, of the file, blocks), the length of each, the blocks. */
export function encodeBlocks(file: Uint8Array, block = BLOCK): Uint8Array {
  const count = Math.ceil(file.length / block);
  const blocks = Array.from({ length: count }, (_, at) =>
    zstdCompressSync(file.subarray(at * block, (at + 1) * block), { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
  );
  const head = Buffer.alloc(HEADER + count * 4);
  for (const [at, value] of [MAGIC, block, file.length, count].entries()) head.writeUInt32LE(value, at * 4);
  for (const [at, block] of blocks.entries()) head.writeUInt32LE(block.length, HEADER + at * 4);
  return Buffer.concat([head, ...blocks]);
}

/** Room for what is in a file of blocks. @throws BelljarError ASSET_MISSING when it is none. */
export function roomFor(packed: Uint8Array): Room {
  const { length, lengths } = readHead(packed);
  return { bytes: new SharedArrayBuffer(length), done: new SharedArrayBuffer(lengths.length) };
}

/**
 * The file's bytes, unpacked into its room by the first thread that wants them. Of two that want them at once each
 * writes the same, so neither waits, and one that is ended amid it leaves nothing half done.
 * @throws BelljarError ASSET_MISSING when the file is none, or not the one that the room was made for.
 */
export function unpackBlocks(packed: Uint8Array, room: Room): Uint8Array {
  const { block, length, lengths, start } = readHead(packed);
  if (room.bytes.byteLength !== length || room.done.byteLength !== lengths.length) throw bad("it is not what its room was made for");
  const bytes = new Uint8Array(room.bytes);
  const done = new Uint8Array(room.done);
  let from = start;
  for (const [at, size] of lengths.entries()) {
    const end = from + size;
    if (Atomics.load(done, at) !== DONE) {
      const unpacked = inflateSync(packed.subarray(from, end), block);
      if (unpacked.length !== Math.min(block, length - at * block)) throw bad("a block is damaged");
      bytes.set(unpacked, at * block);
      Atomics.store(done, at, DONE);
    }
    from = end;
  }
  return bytes;
}

function inflateSync(packed: Uint8Array, length: number): Uint8Array {
  try {
    return zstdDecompressSync(packed, { chunkSize: length, maxOutputLength: length });
  } catch (cause) {
    throw bad("a block is damaged", { cause });
  }
}

const inflate = promisify(zstdDecompress);

/**
 * The bytes of a file of one block, in memory that is the caller's alone; this thread goes on with other things meanwhile.
 * @throws BelljarError ASSET_MISSING when the file is none, or of several blocks.
 */
export async function unpackBlock(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { length, lengths, start } = readHead(packed);
  if (lengths.length !== 1) throw bad("it is in several blocks");
  try {
    // With room for one byte more than there is, Node makes no second buffer to see whether that was all.
    const bytes = await inflate(packed.subarray(start), { chunkSize: length + 1, maxOutputLength: length });
    if (bytes.length === length) return bytes;
  } catch (cause) {
    throw bad("a block is damaged", { cause });
  }
  throw bad("a block is damaged");
}

function readHead(packed: Uint8Array): { readonly block: number; readonly length: number; readonly lengths: readonly number[]; readonly start: number } {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.length < HEADER || view.readUInt32LE(0) !== MAGIC) throw bad("it has another beginning");
  const count = view.readUInt32LE(12);
  const start = HEADER + count * 4;
  if (view.length < start) throw bad("its table is cut off");
  const lengths = Array.from({ length: count }, (_, at) => view.readUInt32LE(HEADER + at * 4));
  if (lengths.reduce((sum, each) => sum + each, start) !== view.length) throw bad("its blocks are cut off");
  return { block: view.readUInt32LE(4), length: view.readUInt32LE(8), lengths, start };
}

function bad(why: string, options?: ErrorOptions): BelljarError {
  return new BelljarError("ASSET_MISSING", `not a file of blocks: ${why}`, options);
}
