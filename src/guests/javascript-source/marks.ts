import type { PlannedEdit } from "./plan.ts";

/** Where the changes to a code are gathered while its parsed form is walked. */
export interface Marks {
  insert(at: number, text: string): void;
  replace(start: number, end: number, text: string): void;
  /** The end of what `throw` is made to call, with the offset of that statement in the code as it was given. */
  endThrow(at: number, thrownAt: number): void;
  readonly edits: readonly PlannedEdit[];
}

export function createMarks(): Marks {
  const edits: PlannedEdit[] = [];
  return {
    insert: (at, text) => void edits.push([at, 0, text]),
    replace: (start, end, text) => void edits.push([start, end - start, text]),
    endThrow: (at, thrownAt) => void edits.push([at, thrownAt]),
    edits,
  };
}
