import { createHash } from "node:crypto";
import * as z from "zod";
import { BelljarError } from "../../base/errors.ts";
import { LANGUAGES } from "../../policy/limits.ts";
import { SANDBOX_NAME } from "../../policy/names.ts";

/** The format that docs/state-format.md describes. */
export const STATE_FORMAT = 2;
const MAGIC = Buffer.from("BELLJAR\0", "latin1");
const VERSION_AT = MAGIC.length;
const LENGTH_AT = VERSION_AT + 4;
const PAYLOAD_SUM_AT = LENGTH_AT + 4;
const SUM_AT = PAYLOAD_SUM_AT + 32;
/** Bytes before the header. */
export const PREFIX_BYTES = SUM_AT + 32;
/** The longest header that is read. */
export const LONGEST_HEADER = 65_536;

/** What is told of a stored sandbox without reading its state. */
export const storedSchema = z.object({
  name: z.string().regex(SANDBOX_NAME),
  language: z.enum(LANGUAGES),
  parent: z.string().optional(),
  turns: z.int().nonnegative(),
  /** Random generators are to start anew before the next turn. */
  reseed: z.boolean(),
  /** Size of the linear memory. */
  memoryBytes: z.int().nonnegative(),
});
export type Stored = z.infer<typeof storedSchema>;

const headerSchema = storedSchema.extend({
  belljar: z.string(),
  guest: z.string(),
  payloadBytes: z.int().nonnegative(),
});
export type StateHeader = z.infer<typeof headerSchema>;

/** What a file must have been written by, to be read. */
export interface Writer {
  /** Belljar's version. */
  readonly belljar: string;
  /** sha256 of each guest with its images and read-only files, in hex. */
  readonly guests: Readonly<Record<Stored["language"], string>>;
}

/** The header of a payload of so many bytes. */
export function encodeHeader(stored: Stored, payloadBytes: number, { belljar, guests }: Writer): Buffer {
  const header: StateHeader = { ...stored, belljar, guest: guests[stored.language], payloadBytes };
  return Buffer.from(JSON.stringify(header));
}

/** What comes before the header; of a fixed size, so that it can be written once the payload's checksum is known. */
export function encodePrefix(header: Uint8Array, payloadSum: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.set(MAGIC);
  prefix.writeUInt32LE(STATE_FORMAT, VERSION_AT);
  prefix.writeUInt32LE(header.length, LENGTH_AT);
  prefix.set(payloadSum, PAYLOAD_SUM_AT);
  prefix.set(sumOf(prefix, header), SUM_AT);
  return prefix;
}

/** A header with where its payload begins. */
export interface ReadHeader {
  readonly header: StateHeader;
  readonly payloadAt: number;
  /** sha256 of the payload. */
  readonly payloadSum: Uint8Array;
}

/**
 * Reads a header from the beginning of a file.
 * @param size bytes of the whole file
 * @throws BelljarError BAD_STATE with the reason when it is not a whole file of this writer's.
 */
export function decodeHeader(start: Uint8Array, size: number, writer: Writer): ReadHeader {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  if (!bytes.subarray(0, VERSION_AT).equals(MAGIC)) throw bad("it is not a state file of Belljar");
  if (bytes.length < PREFIX_BYTES) throw bad("it is cut off");
  const format = bytes.readUInt32LE(VERSION_AT);
  if (format !== STATE_FORMAT) throw bad(`its format is ${String(format)}, and this Belljar reads ${String(STATE_FORMAT)}`);
  const length = bytes.readUInt32LE(LENGTH_AT);
  if (length > LONGEST_HEADER) throw bad("its header is damaged");
  const payloadAt = PREFIX_BYTES + length;
  if (bytes.length < payloadAt) throw bad("it is cut off");
  const json = bytes.subarray(PREFIX_BYTES, payloadAt);
  if (!sumOf(bytes, json).equals(bytes.subarray(SUM_AT, PREFIX_BYTES))) throw bad("its header is damaged");
  const { data: header } = headerSchema.safeParse(JSON.parse(json.toString("utf8")));
  if (header === undefined) throw bad("its header is not one of this format");
  if (header.belljar !== writer.belljar) throw bad(`it was written by Belljar ${header.belljar}, and this is ${writer.belljar}`);
  if (header.guest !== writer.guests[header.language]) throw bad(`it was written by another build of the ${header.language} guest`);
  if (size !== payloadAt + header.payloadBytes) {
    throw bad(`it is ${String(size)} bytes, and should be ${String(payloadAt + header.payloadBytes)}`);
  }
  return { header, payloadAt, payloadSum: bytes.subarray(PAYLOAD_SUM_AT, SUM_AT) };
}

/** The checksum of a header, with what is before it in the file. */
function sumOf(prefix: Uint8Array, header: Uint8Array): Buffer {
  return createHash("sha256").update(prefix.subarray(0, SUM_AT)).update(header).digest();
}

function bad(why: string): BelljarError {
  return new BelljarError("BAD_STATE", why);
}
