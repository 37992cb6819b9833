/** A line that was read, or one that was too long to keep: its size, and its first and last bytes. */
export type Line = { readonly bytes: Uint8Array } | { readonly size: number; readonly ends: Uint8Array };

const LINE_FEED = 0x0a;
const KEPT = 1_024;

/** Cuts a stream into lines in time linear to its length, keeping at most `maximum` bytes of any line. */
export function createLineReader(maximum: number, onLine: (line: Line) => void): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let size = 0;
  let head: Uint8Array = new Uint8Array();
  let tail: Uint8Array = new Uint8Array();

  const add = (part: Uint8Array): void => {
    size += part.length;
    if (head.length < KEPT) head = Buffer.concat([head, part.subarray(0, KEPT - head.length)]);
    if (part.length > 0) tail = Buffer.concat([tail, part.subarray(-KEPT)]).subarray(-KEPT);
    if (size <= maximum) parts.push(part);
    else parts = [];
  };
  const end = (): void => {
    onLine(size <= maximum ? { bytes: Buffer.concat(parts) } : { size, ends: Buffer.concat([head, tail]) });
    parts = [];
    size = 0;
    head = tail = new Uint8Array();
  };

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
