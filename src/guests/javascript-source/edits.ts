/** A replacement of `remove` characters at `at` by `insert`. */
interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Changes to a text that remember where each piece came from. */
export interface Edits {
  insert(at: number, text: string): void;
  replace(start: number, end: number, text: string): void;
  apply(): Edited;
}

export interface Edited {
  readonly text: string;
  /** The offset in the original of an offset in the result; for inserted text, where it was inserted. */
  origin(offset: number): number;
}

/** Edits must not overlap; at one offset what is inserted comes before what is replaced. */
export function createEdits(original: string): Edits {
  const edits: Edit[] = [];
  return {
    insert: (at, text) => void edits.push({ at, remove: 0, insert: text }),
    replace: (start, end, text) => void edits.push({ at: start, remove: end - start, insert: text }),
    apply() {
      edits.sort((a, b) => a.at - b.at || Math.sign(a.remove) - Math.sign(b.remove));
      let text = "";
      let done = 0;
      const marks: { readonly from: number; readonly to: number; readonly fixed: boolean }[] = [{ from: 0, to: 0, fixed: false }];
      for (const edit of edits) {
        text += original.slice(done, edit.at);
        marks.push({ from: text.length, to: edit.at, fixed: true });
        text += edit.insert;
        done = edit.at + edit.remove;
        marks.push({ from: text.length, to: done, fixed: false });
      }
      text += original.slice(done);
      return {
        text,
        origin(offset) {
          let mark = marks[0];
          for (const next of marks) {
            if (next.from > offset) break;
            mark = next;
          }
          if (mark === undefined) return offset;
          return mark.fixed ? mark.to : mark.to + (offset - mark.from);
        },
      };
    },
  };
}

/** Line and column, both from 1, of an offset. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", start)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The offset of a line and column, both from 1; the end of the text when there is no such place. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, text.length);
}
