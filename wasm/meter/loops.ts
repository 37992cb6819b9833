import { storedBytes } from "./arity.ts";
import { hasFixedLength } from "./cost.ts";
import { EMPTY, type Instruction, newInstruction, readInstruction, type Spaces } from "./instruction.ts";
import { isBulk, OP } from "./opcodes.ts";
import type { Cursor } from "./reader.ts";

/** What each assignment in a loop adds to a local, or takes from it: a constant, or a local that the loop doesn't assign. */
export interface Step {
  readonly op: typeof OP.i32Add | typeof OP.i32Sub;
  /** Signed. */
  readonly constant: number | undefined;
  readonly local: number;
  /** How many such assignments a turn of the loop has. */
  readonly count: number;
}

/** A loop of a function. */
export interface Loop {
  readonly assigned: Set<number>;
  /** Of a loop without branches, calls or blocks in it: the locals that each turn moves by steps of one kind. Else empty. */
  readonly steps: Map<number, Step>;
  /** Offset after the branch back, where such a loop is left. */
  readonly back: number;
}

interface Open extends Loop {
  simple: boolean;
  /** Below zero until it was met. */
  back: number;
  /** Offset after what leads on from there: a branch out, or nothing. */
  left: number;
}

/** What may stand between the branch back and the end of a loop. */
const WAYS_OUT: ReadonlySet<number> = new Set([OP.br, OP.return, OP.unreachable]);

const BREAKS: ReadonlySet<number> = new Set([
  OP.unreachable, OP.br, OP.brTable, OP.brOnNull, OP.brOnNonNull, OP.return, OP.throw, OP.throwRef, OP.call, OP.callIndirect,
  OP.callRef, OP.returnCall, OP.returnCallIndirect, OP.returnCallRef, OP.block, OP.if, OP.loop, OP.try, OP.tryTable,
]);

type Seen = Pick<Instruction, "op" | "index" | "value">;
const NOTHING: Seen = { op: OP.nop, index: 0, value: 0 };
const instruction = newInstruction();

/** What the three instructions before an assignment add to the local that it assigns. */
function stepOf(local: number, [first = NOTHING, second = NOTHING, third = NOTHING]: readonly Seen[]): Omit<Step, "count"> | undefined {
  const { op } = third;
  if (op !== OP.i32Add && op !== OP.i32Sub) return undefined;
  const isIt = ({ op: get, index }: Seen): boolean => get === OP.localGet && index === local;
  if (isIt(first) && second.op === OP.i32Const) return { op, constant: second.value | 0, local: 0 };
  if (isIt(first) && second.op === OP.localGet) return { op, constant: undefined, local: second.index };
  if (isIt(second) && first.op === OP.localGet && op === OP.i32Add) return { op, constant: undefined, local: first.index };
  return undefined;
}

/** A further step of the same kind, or the first one. */
function noteStep(loop: Open, local: number, step: Omit<Step, "count"> | undefined): void {
  const before = loop.steps.get(local);
  const same = before !== undefined && before.op === step?.op && before.constant === step.constant && before.local === step.local;
  if (step !== undefined && (same || !loop.assigned.has(local))) loop.steps.set(local, { ...step, count: (before?.count ?? 0) + 1 });
  else loop.steps.delete(local);
}

function close(loop: Open, at: number): void {
  if (!loop.simple || loop.left !== at) loop.steps.clear();
  for (const [local, step] of loop.steps) {
    if (step.constant === undefined && loop.assigned.has(step.local)) loop.steps.delete(local);
  }
}

/**
 * The loops of a function, in the order in which they open.
 * @returns undefined when the function writes no memory by itself
 */
export function readLoops(code: Cursor, spaces: Spaces, locals: number): readonly Loop[] | undefined {
  const cursor = { ...code };
  const loops: Open[] = [];
  const open: (Open | undefined)[] = [undefined];
  let before: Seen[] = [];
  let writes = false;
  while (open.length > 0) {
    readInstruction(cursor, spaces, locals, instruction);
    const { op, index, value, at } = instruction;
    const innermost = open.at(-1);
    if (innermost !== undefined && innermost.back === at && WAYS_OUT.has(op)) innermost.left = cursor.at;
    else if (innermost !== undefined && (BREAKS.has(op) || (op === OP.misc && isBulk(instruction.sub) && !hasFixedLength(instruction)))) innermost.simple = false;
    if (op === OP.loop) {
      const loop: Open = { assigned: new Set(), steps: new Map(), simple: instruction.blockType === EMPTY, back: -1, left: -1 };
      loops.push(loop);
      open.push(loop);
    } else if (op === OP.block || op === OP.if || op === OP.tryTable || op === OP.try) open.push(undefined);
    else if (op === OP.end || op === OP.delegate) {
      if (innermost !== undefined) close(innermost, at);
      open.pop();
    } else if (op === OP.brIf && innermost !== undefined) {
      if (index !== 0 || innermost.back >= 0) innermost.simple = false;
      innermost.back = cursor.at;
      innermost.left = cursor.at;
    } else if (op === OP.localSet || op === OP.localTee) {
      if (innermost !== undefined) noteStep(innermost, index, stepOf(index, before));
      for (const loop of open) loop?.assigned.add(index);
    }
    before = [...before.slice(-2), { op, index, value }];
    writes ||= op === OP.misc || op === OP.atomic || storedBytes(instruction) !== undefined;
  }
  return writes ? loops : undefined;
}
