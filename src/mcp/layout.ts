const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const LAST_BREAK = /(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])$/;

/** Lines of a text as any reader may see them; a last line break ends its line and begins none. */
export function countLines(text: string): number {
  const breaks = text.match(LINE_BREAKS)?.length ?? 0;
  return LAST_BREAK.test(text) ? breaks : breaks + 1;
}

/** A text's lines as any reader may see them. */
export function linesOf(text: string): string[] {
  return text.split(LINE_BREAKS);
}

/** The text without its last line break. */
export function trimLastBreak(text: string): string {
  return text.replace(LAST_BREAK, "");
}

/**
 * Keeps the beginning and end of a text that is longer than `limit` UTF-16 units, with `mark(cut)` between,
 * and never splits a surrogate pair. The result exceeds the limit by the mark alone.
 */
export function keepEnds(text: string, limit: number, mark: (cut: number) => string): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const head = limit - tail;
  const start = isLow(text, head) ? head - 1 : head;
  const end = isLow(text, text.length - tail) ? text.length - tail + 1 : text.length - tail;
  return `${text.slice(0, start)}\n${mark(end - start)}\n${text.slice(end)}`;
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
