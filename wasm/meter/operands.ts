import { type Cursor, refuse } from "./reader.ts";

/** Of an operand that isn't the value of a local. */
export const NO_LOCAL = -1;
/** Of an operand that wasn't on top when it was pushed. */
export const NOWHERE = -1;

/** What is known of the operands at a place of a function: parallel arrays, of which the first `height` count. */
export interface Operands {
  height: number;
  /** The local whose value it is, and which of its values: `version` counts them. */
  readonly local: number[];
  readonly version: number[];
  /** Offset after the instruction that pushed it, where it is on top. */
  readonly end: number[];
}

export function newOperands(): Operands {
  return { height: 0, local: [], version: [], end: [] };
}

export function pushLocal(operands: Operands, local: number, version: number, end: number): void {
  const at = operands.height++;
  operands.local[at] = local;
  operands.version[at] = version;
  operands.end[at] = end;
}

/** Pushes values of which nothing is known but where they came from. */
export function pushUnknown(operands: Operands, count: number, end: number): void {
  for (let left = count; left > 0; left--) pushLocal(operands, NO_LOCAL, 0, left === 1 ? end : NOWHERE);
}

/** @param floor height that the innermost block began at: what lies below isn't its */
export function pop(operands: Operands, count: number, floor: number, cursor: Cursor): void {
  operands.height -= count;
  if (operands.height < floor) refuse(cursor, "an operand is missing");
}
