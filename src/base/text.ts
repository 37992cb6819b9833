/** The largest cut at or before `at` that splits no UTF-8 sequence; `at` itself for bytes that are no UTF-8. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let start = at - 1;
  while (start > 0 && at - start < 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start];
  return lead !== undefined && start + sequenceLength(lead) > at ? start : at;
}

/** The smallest cut at or after `at` that splits no UTF-8 sequence; `at` itself for bytes that are no UTF-8. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && end - at < 3 && isContinuation(bytes[end])) end += 1;
  return isContinuation(bytes[end]) ? at : end;
}

/** A copy of a JSON value in which no string, nor key, holds a lone surrogate. The value is no deeper than the stack. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
