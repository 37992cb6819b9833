import { EMPTY, newInstruction, ONE_RESULT, readInstruction } from "./instruction.ts";
import type { Definition } from "./calls.ts";
import { OP } from "./opcodes.ts";
import type { Shape } from "./shape.ts";
import { put, putU32, type Writer } from "./writer.ts";

/** A branch in a loop that leads out of it: where the loop is put deeper, its labels count further. */
export interface Exit {
  /** Offsets of its opcode and of what follows it. */
  readonly at: number;
  readonly end: number;
  readonly op: number;
  readonly labels: readonly number[];
  /** How many blocks are open in the loop, itself among them: labels below that stay. */
  readonly depth: number;
}

/** The loop in which an interpreter runs: one call of its function may be all of a program. */
export interface Dispatch {
  /** Offsets of the loop, of its first instruction, and of what follows its end. */
  readonly at: number;
  readonly head: number;
  readonly end: number;
  readonly exits: readonly Exit[];
}

interface Open {
  readonly at: number;
  readonly head: number;
  readonly isLoop: boolean;
  readonly exits: Exit[];
  readonly hasParameters: boolean;
}

/** A branch by so many labels is one over an interpreter's instructions. */
const MANY_LABELS = 64;
const instruction = newInstruction();

/** The innermost loop around a function's first branch over many labels; none where it takes operands, or where exceptions are caught. */
export function findDispatch({ code, locals }: Definition, shape: Shape): Dispatch | undefined {
  const cursor = { ...code };
  const open: Open[] = [];
  let found: Open | undefined;
  while (cursor.at < cursor.end) {
    readInstruction(cursor, shape, locals, instruction);
    const { at, op, index, blockType: type } = instruction;
    if (op === OP.try || op === OP.tryTable) return undefined;
    if (op === OP.block || op === OP.loop || op === OP.if) {
      const hasParameters = type !== EMPTY && type !== ONE_RESULT && (shape.parameters[type] ?? 0) > 0;
      open.push({ at, head: cursor.at, isLoop: op === OP.loop, exits: [], hasParameters });
    } else if (op === OP.br || op === OP.brIf || op === OP.brOnNull || op === OP.brOnNonNull) {
      note(open, { at, end: cursor.at, op, labels: [index] });
    } else if (op === OP.brTable) {
      note(open, { at, end: cursor.at, op, labels: [...instruction.targets] });
      if (instruction.targets.length > MANY_LABELS) found ??= open.findLast(({ isLoop }) => isLoop);
    } else if (op === OP.end) {
      const closed = open.pop();
      if (closed === undefined || closed !== found) continue;
      return found.hasParameters ? undefined : { at: found.at, head: found.head, end: cursor.at, exits: found.exits };
    }
  }
  return undefined;
}

function note(open: readonly Open[], branch: Omit<Exit, "depth">): void {
  for (const [at, { isLoop, exits }] of open.entries()) {
    const depth = open.length - at;
    if (isLoop && branch.labels.some((label) => label >= depth)) exits.push({ ...branch, depth });
  }
}

/** Writes a branch whose labels beyond the loop count `deeper` more. */
export function putExit(out: Writer, { op, labels, depth }: Exit, deeper: number): void {
  put(out, op);
  if (op === OP.brTable) putU32(out, labels.length - 1);
  for (const label of labels) putU32(out, label >= depth ? label + deeper : label);
}
