/** Bytes being written: the first `length` of `bytes` count. */
export interface Writer {
  bytes: Uint8Array;
  length: number;
}

export function newWriter(capacity: number): Writer {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

/** Makes room for `more` bytes, by doubling. */
export function reserve(writer: Writer, more: number): void {
  const need = writer.length + more;
  if (need <= writer.bytes.length) return;
  const grown = new Uint8Array(Math.max(need, writer.bytes.length * 2));
  grown.set(writer.bytes.subarray(0, writer.length));
  writer.bytes = grown;
}

export function put(writer: Writer, value: number): void {
  if (writer.length >= writer.bytes.length) reserve(writer, 1);
  writer.bytes[writer.length++] = value;
}

export function putAll(writer: Writer, values: readonly number[]): void {
  for (const value of values) put(writer, value);
}

/** An unsigned LEB128 number below 2^32. */
export function putU32(writer: Writer, value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) put(writer, (rest % 128) | 0x80);
  put(writer, rest);
}

/** A signed LEB128 number of a magnitude below 2^31. */
export function putSigned(writer: Writer, value: number): void {
  let rest = value;
  for (; rest > 63 || rest < -64; rest >>= 7) put(writer, (rest & 0x7f) | 0x80);
  put(writer, rest & 0x7f);
}

export function putName(writer: Writer, text: string): void {
  const encoded = new TextEncoder().encode(text);
  putU32(writer, encoded.length);
  putBytes(writer, encoded, 0, encoded.length);
}

/** Copies `bytes[start … end)`. */
export function putBytes(writer: Writer, bytes: Uint8Array, start: number, end: number): void {
  reserve(writer, end - start);
  if (end - start > 32) writer.bytes.set(bytes.subarray(start, end), writer.length);
  else for (let at = start, to = writer.length; at < end; at++, to++) writer.bytes[to] = bytes[at] ?? 0;
  writer.length += end - start;
}

/** All that was written so far, without a copy. */
export function written(writer: Writer): Uint8Array {
  return writer.bytes.subarray(0, writer.length);
}
