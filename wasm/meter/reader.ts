import { BelljarError } from "../../src/base/errors.ts";

/** A place in a module: what is left of it to read, never past `end`. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** Where in the module this is, for messages: "code section". */
  readonly place: string;
}

/** Raises BAD_MODULE with the place and the offset in the module. */
export function refuse(cursor: Cursor, why: string, at: number = cursor.at): never {
  throw new BelljarError("BAD_MODULE", `${why} (${cursor.place}, offset ${at})`);
}

/** A cursor over the next `size` bytes; the given one moves past them. */
export function take(cursor: Cursor, size: number, place: string = cursor.place): Cursor {
  const at = cursor.at;
  skip(cursor, size);
  return { bytes: cursor.bytes, at, end: cursor.at, place };
}

export function skip(cursor: Cursor, size: number): void {
  if (size > cursor.end - cursor.at) refuse(cursor, "ends too early");
  cursor.at += size;
}

export function byte(cursor: Cursor): number {
  const value = cursor.at < cursor.end ? cursor.bytes[cursor.at] : undefined;
  if (value === undefined) refuse(cursor, "ends too early");
  cursor.at++;
  return value;
}

/** An unsigned LEB128 number of at most 32 bits (core spec, 5.2.2). */
export function u32(cursor: Cursor): number {
  const first = byte(cursor);
  if (first < 0x80) return first;
  let value = first & 0x7f;
  for (let shift = 7; shift < 35; shift += 7) {
    const next = byte(cursor);
    if (shift === 28 && next > 0x0f) refuse(cursor, "number over 32 bits", cursor.at - 1);
    value += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) return value;
  }
  return refuse(cursor, "number over 32 bits");
}

/** The bits of a signed LEB128 number of at most 32 bits, as an unsigned number (core spec, 5.2.2). */
export function s32(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const next = byte(cursor);
    value |= (next & 0x7f) << shift;
    if (next < 0x80) return ((next & 0x40) !== 0 && shift < 28 ? value | (-128 << shift) : value) >>> 0;
  }
  return refuse(cursor, "number over 32 bits");
}

/** Moves past a signed LEB128 number of at most `bits` bits; its value does not matter here. */
export function skipSigned(cursor: Cursor, bits: number): void {
  for (let left = Math.ceil(bits / 7); left > 0; left--) if (byte(cursor) < 0x80) return;
  refuse(cursor, `number over ${bits} bits`);
}

/** A heap type: a negative number is abstract, any other the index of one of `types` types (core spec, 5.3.3). */
export function heapType(cursor: Cursor, types: number): void {
  const at = cursor.at;
  let index = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const next = byte(cursor);
    index += (next & 0x7f) * 2 ** shift;
    if (next >= 0x80) continue;
    if (next < 0x40 && index >= types) refuse(cursor, `type ${index} of ${types}`, at);
    return;
  }
  refuse(cursor, "number over 33 bits", at);
}

/** An index below `limit`: one at or past it would name what the pass adds. */
export function below(cursor: Cursor, limit: number, what: string): number {
  const at = cursor.at;
  const index = u32(cursor);
  if (index >= limit) refuse(cursor, `${what} ${index} of ${limit}`, at);
  return index;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name: its length, then UTF-8 (core spec, 5.2.4). */
export function name(cursor: Cursor): string {
  const text = take(cursor, u32(cursor));
  try {
    return decoder.decode(text.bytes.subarray(text.at, text.end));
  } catch {
    return refuse(text, "name is not UTF-8");
  }
}
