import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { BelljarError } from "../../base/errors.ts";
import { decodeHeader, encodeHeader, encodePrefix, LONGEST_HEADER, PREFIX_BYTES, type ReadHeader, type Stored, type Writer } from "./state-file.ts";

/** A state on its way to a file or from it. */
export interface Payload {
  readonly bytes: number;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** How much is read at once. */
const READ_BYTES = 1_048_576;
/** How much is written before the system is asked to bring it to the disk: it does so while more comes. */
const FLUSH_BYTES = 33_554_432;

/**
 * Writes a state file, and gives its bytes once it is on the disk. Until it is renamed, at the end, it is nobody's:
 * a file is the old one or the new one, whole, whenever the machine stops.
 * @param aside where it is written first
 * @throws BelljarError BAD_STATE when the parts are not as many bytes as was said.
 */
export async function writeState(paths: { readonly path: string; readonly aside: string }, stored: Stored, payload: Payload, writer: Writer): Promise<number> {
  const { path, aside } = paths;
  const header = encodeHeader(stored, payload.bytes, writer);
  try {
    const file = await open(aside, "wx", 0o600);
    try {
      await file.writeFile(Buffer.alloc(PREFIX_BYTES));
      await file.writeFile(header);
      const sum = await writeParts(file, payload);
      await file.write(encodePrefix(header, sum), 0, PREFIX_BYTES, 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  return PREFIX_BYTES + header.length + payload.bytes;
}

/** Gives the checksum of what it has written. */
async function writeParts(file: FileHandle, { bytes, parts }: Payload): Promise<Buffer> {
  const hash = createHash("sha256");
  let left = bytes;
  let unflushed = 0;
  let flushing: Promise<unknown> = Promise.resolve();
  try {
    for await (const part of parts) {
      left -= part.length;
      unflushed += part.length;
      const written = file.writeFile(part);
      hash.update(part);
      await written;
      if (unflushed < FLUSH_BYTES) continue;
      unflushed = 0;
      await flushing;
      flushing = file.datasync();
      flushing.catch(() => {});
    }
  } finally {
    await flushing;
  }
  if (left !== 0) throw new BelljarError("BAD_STATE", `its content is ${String(bytes - left)} bytes, and should be ${String(bytes)}`);
  return hash.digest();
}

/**
 * Opens a state file and gives its content part by part, the last one once the checksum was found right.
 * @throws BelljarError BAD_STATE with the reason when the file does not fit.
 */
export async function readState(path: string, writer: Writer): Promise<Payload> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(PREFIX_BYTES + LONGEST_HEADER);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const read = decodeHeader(start.subarray(0, bytesRead), size, writer);
    return { bytes: read.header.payloadBytes, parts: readParts(file, read) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readParts(file: FileHandle, { header, payloadAt, payloadSum }: ReadHeader): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  try {
    for (let at = 0; at < header.payloadBytes; ) {
      const part = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, header.payloadBytes - at));
      const { bytesRead } = await file.read(part, 0, part.length, payloadAt + at);
      if (bytesRead === 0) throw new BelljarError("BAD_STATE", "it was cut off while it was read");
      const got = part.subarray(0, bytesRead);
      hash.update(got);
      at += bytesRead;
      if (at === header.payloadBytes && !hash.digest().equals(payloadSum)) throw new BelljarError("BAD_STATE", "its content is damaged (the checksum differs)");
      yield got;
    }
  } finally {
    await file.close();
  }
}
