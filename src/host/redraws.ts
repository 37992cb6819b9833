import { createOutput, type Output } from "./output.ts";

const CR = 13;
const LF = 10;
/** A line up to so long may be drawn anew; progress bars are as wide as a terminal. */
const LINE_BYTES = 4_096;
const BLOCK_BYTES = 16_384;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A carriage return within a line may be data; a line that goes back to its start more often is drawn anew. */
const RETURNS_AS_DATA = 1;

/**
 * As `createOutput`, but of a line that is drawn again and again what it shows last is kept, as on a terminal: a progress
 * bar that was drawn a thousand times is one line. A line that goes back to its start once is kept as it was written.
 */
export function createFoldedOutput(limitBytes: number): Output {
  const output = createOutput(limitBytes);
  /** Begins with the line that has not ended; room for a block behind it, and for a carriage return that was put off. */
  const shown = new Uint8Array(LINE_BYTES + BLOCK_BYTES + 1);
  let length = 0;
  /** A carriage return has come, and nothing after it yet: what follows decides what it was. */
  let returned = false;
  /** How often the line has gone back to its start. */
  let returns = 0;

  const newestDrawing = (): string => {
    const drawings = decoder.decode(shown.subarray(0, length)).split("\r");
    return drawings.at(-1)?.trim() ?? "";
  };

  const passOn = (count: number): void => {
    output.write(shown.subarray(0, count));
    shown.copyWithin(0, count, length);
    length -= count;
  };

  const fold = (block: Uint8Array): void => {
    let start = 0;
    for (const byte of block) {
      if (byte === CR) {
        returned = true;
        continue;
      }
      if (returned) {
        returned = false;
        if (byte !== LF) returns += 1;
        if (byte === LF || returns <= RETURNS_AS_DATA) shown[length++] = CR;
        else length = start;
      }
      shown[length++] = byte;
      if (byte !== LF) continue;
      start = length;
      returns = 0;
    }
    passOn(length - start > LINE_BYTES ? length : start);
  };

  return {
    write(bytes) {
      if (!returned && length === 0 && !bytes.includes(CR)) {
        // Most of what is written: whole lines, or more than a line may have.
        const end = bytes.length > BLOCK_BYTES ? bytes.length : bytes.lastIndexOf(LF) + 1;
        output.write(bytes.subarray(0, end));
        fold(bytes.subarray(end));
      } else for (let at = 0; at < bytes.length; at += BLOCK_BYTES) fold(bytes.subarray(at, at + BLOCK_BYTES));
    },
    text() {
      // Blanks and a carriage return are how a progress bar is wiped out.
      if (returned && newestDrawing() === "") length = 0;
      passOn(length);
      return output.text();
    },
    newestLine(maxChars = 200) {
      const newest = newestDrawing();
      return newest === "" ? output.newestLine(maxChars) : newest.slice(0, maxChars).toWellFormed();
    },
  };
}
