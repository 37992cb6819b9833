import { arityOf, storedBytes } from "./arity.ts";
import type { Definition } from "./calls.ts";
import { hasFixedLength, MAX_FIXED } from "./cost.ts";
import { EMPTY, newInstruction, ONE_RESULT, readInstruction } from "./instruction.ts";
import { type Loop, readLoops, type Step } from "./loops.ts";
import { BULK, OP } from "./opcodes.ts";
import { newOperands, NO_LOCAL, NOWHERE, pop, pushLocal, pushUnknown } from "./operands.ts";
import { refuse } from "./reader.ts";
import { RECORD_PAGE } from "./record.ts";
import type { Shape } from "./shape.ts";

/** What is to stand before the instruction at an offset. */
export interface Mark {
  readonly at: number;
  /** Marks the page of an address, or keeps the operand on top in a local of the pass's own. */
  readonly kind: "mark" | "keep";
  /** A local of the function's, or the number of one of the pass's own. */
  readonly local: number;
  readonly isOwn: boolean;
  /** Added to the local's value. */
  readonly offset: number;
}

/** What a loop writes through a local that each turn moves by steps: all between where it begins and where it ends. */
export interface Range {
  readonly local: number;
  readonly step: Step;
  /** How many of a turn's steps come after the last write through it. */
  readonly unused: number;
}

/** A loop whose writes are marked when it is left, or waits for the host. */
export interface MarkedLoop {
  /** Offsets of the loop, of its first instruction, and of where it is left. */
  readonly at: number;
  readonly head: number;
  readonly end: number;
  readonly ranges: readonly Range[];
}

/** What is to be marked in a function. */
export interface Marks {
  readonly marks: Mark[];
  readonly loops: MarkedLoop[];
}

interface OpenLoop extends Pick<MarkedLoop, "at" | "head">, Pick<Loop, "back"> {
  readonly assigned: ReadonlySet<number>;
  readonly steps: ReadonlyMap<number, Step>;
  /** Which value the locals of the steps have where a turn begins. */
  readonly entry: ReadonlyMap<number, number>;
  /** By local of its steps: the marks of what is written through it, by how many steps came before. */
  readonly written: Map<number, Map<number, Mark>>;
  /** The locals that are marked before the loop, and which of their values. */
  readonly hoisted: Map<number, number>;
}

/** A block that is open. */
interface Frame {
  readonly height: number;
  readonly parameters: number;
  readonly results: number;
  /** How many marks were valid before it. */
  readonly trail: number;
  readonly live: boolean;
  readonly loop: OpenLoop | undefined;
}

interface Kept {
  readonly from: number;
  readonly local: number;
}

const NOT_MARKED = -1;
const instruction = newInstruction();
const operands = newOperands();

/**
 * Finds where a function has to mark the pages that it writes to. A mark of a page speaks for the next one too, so that
 * one mark of a pointer holds for all fields near it, as long as the local that holds the pointer isn't assigned; in a
 * loop that does not assign it the mark stands before the loop. A mark too many does no harm.
 * @throws BAD_MODULE for what can't be followed: atomic writes, `memory.init`, exceptions of the old kind
 */
export function findMarks({ code, locals }: Definition, shape: Shape): Marks {
  const loops = readLoops(code, shape, locals);
  const marks: Mark[] = [];
  const ranged: MarkedLoop[] = [];
  if (loops === undefined) return { marks, loops: ranged };
  const cursor = { ...code };
  const version = new Int32Array(locals);
  const marked = new Int32Array(locals).fill(NOT_MARKED);
  const trail: (readonly [local: number, before: number])[] = [];
  const frames: Frame[] = [{ height: 0, parameters: 0, results: 0, trail: 0, live: true, loop: undefined }];
  const keeps: Kept[] = [];
  let live = true;
  let nextLoop = 0;
  operands.height = 0;

  const innermost = (): Frame => frames.at(-1) ?? refuse(cursor, "code after the end of its function");
  const take = (count: number): void => pop(operands, count, innermost().height, cursor);
  const apply = (pops: number, pushes: number): void => {
    take(pops);
    pushUnknown(operands, pushes, cursor.at);
  };

  /** Back to the marks that hold whichever way the code came. */
  const forget = (length: number): void => {
    while (trail.length > length) {
      const [local, before] = trail.pop() ?? [0, NOT_MARKED];
      marked[local] = before;
    }
  };

  const open = (): void => {
    const { blockType: type, op, at } = instruction;
    const parameters = type >= 0 ? (shape.parameters[type] ?? 0) : 0;
    const results = type === EMPTY ? 0 : type === ONE_RESULT ? 1 : (shape.resultCounts[type] ?? 0);
    const found: Loop | undefined = op === OP.loop ? loops[nextLoop++] : undefined;
    if (live) {
      if (op === OP.if) take(1);
      apply(parameters, parameters);
      for (const local of found?.assigned ?? []) version[local] = (version[local] ?? 0) + 1;
    }
    frames.push({
      height: operands.height - (live ? parameters : 0),
      parameters,
      results,
      trail: trail.length,
      live,
      loop: found && {
        ...found,
        at,
        head: cursor.at,
        written: new Map(),
        entry: new Map([...found.steps.keys()].map((local) => [local, version[local] ?? 0])),
        hoisted: new Map(),
      },
    });
  };

  const close = (): void => {
    const frame = innermost();
    frames.pop();
    // The function's own results were not counted.
    if (frames.length > 0 && live && operands.height !== frame.height + frame.results) refuse(cursor, "operands are left over", instruction.at);
    if (frame.loop !== undefined) settle(frame.loop);
    forget(frame.trail);
    live = frame.live;
    operands.height = frame.height;
    if (live) pushUnknown(operands, frame.results, cursor.at);
  };

  const otherwise = (): void => {
    const frame = innermost();
    forget(frame.trail);
    live = frame.live;
    operands.height = frame.height;
    if (live) pushUnknown(operands, frame.parameters, cursor.at);
  };

  const call = (type: number | undefined, more: number): void => {
    if (type === undefined) refuse(cursor, "a call of no function", instruction.at);
    apply((shape.parameters[type] ?? 0) + more, shape.resultCounts[type] ?? 0);
  };

  const keep = (slot: number): number => {
    const from = operands.end[slot] ?? NOWHERE;
    if (from === NOWHERE) refuse(cursor, "an address among several results is not supported", instruction.at);
    let local = 0;
    for (let last = keeps.at(-1); last !== undefined && last.from >= from; last = keeps.at(-1)) {
      local = Math.max(local, last.local + 1);
      keeps.pop();
    }
    keeps.push({ from, local });
    marks.push({ at: from, kind: "keep", local, isOwn: true, offset: 0 });
    return local;
  };

  /** Leaves it to the end of the loop to mark what a local of its steps is written through. */
  const inRange = (local: number, mark: Mark): boolean => {
    const { loop } = innermost();
    if (loop === undefined || !loop.steps.has(local)) return false;
    const steps = (version[local] ?? 0) - (loop.entry.get(local) ?? 0);
    const written = loop.written.get(local) ?? new Map<number, Mark>();
    loop.written.set(local, written);
    if (!written.has(steps)) written.set(steps, mark);
    return true;
  };

  /** A loop ends: what is written in it is between two addresses, or marked where it is written. */
  const settle = ({ at, head, back, steps, written }: OpenLoop): void => {
    const ranges: Range[] = [];
    for (const [local, step] of steps) {
      const single = written.get(local);
      if (single === undefined) continue;
      const range = rangeOf(local, step, single);
      if (range === undefined) marks.push(...single.values());
      else ranges.push(range);
    }
    if (ranges.length > 0) ranged.push({ at, head, end: back, ranges });
  };

  /** Marks what is written from the address in a slot of the operands. */
  const mark = (slot: number, offset: number, bytes: number): void => {
    const { at } = instruction;
    const local = operands.local[slot] ?? NO_LOCAL;
    const near = offset + bytes <= RECORD_PAGE;
    const added = near ? 0 : offset;
    if (local === NO_LOCAL || operands.version[slot] !== version[local]) {
      marks.push({ at, kind: "mark", local: keep(slot), isOwn: true, offset: added });
      return;
    }
    if (!near) {
      marks.push({ at, kind: "mark", local, isOwn: false, offset: added });
      return;
    }
    if (inRange(local, { at, kind: "mark", local, isOwn: false, offset: 0 })) return;
    const now = version[local] ?? 0;
    if (marked[local] === now || frames.some(({ loop }) => loop?.hoisted.get(local) === now)) return;
    const outer = frames.find(({ loop }) => loop !== undefined && !loop.assigned.has(local))?.loop;
    marks.push({ at: outer?.at ?? at, kind: "mark", local, isOwn: false, offset: 0 });
    if (outer !== undefined) outer.hoisted.set(local, now);
    else {
      trail.push([local, marked[local] ?? NOT_MARKED]);
      marked[local] = now;
    }
  };

  const step = (): void => {
    const { op, sub, index } = instruction;
    if (ENDS.has(op)) live = false;
    else if (op === OP.call) call(index < shape.importedFunctions ? shape.importedTypes[index] : shape.functionTypes[index - shape.importedFunctions], 0);
    else if (op === OP.callIndirect || op === OP.callRef) call(index, 1);
    else if (op === OP.localGet) pushLocal(operands, index, version[index] ?? 0, cursor.at);
    else if (op === OP.localSet || op === OP.localTee) {
      take(1);
      version[index] = (version[index] ?? 0) + 1;
      if (op === OP.localTee) pushLocal(operands, index, version[index] ?? 0, cursor.at);
    } else {
      const bytes = storedBytes(instruction);
      if (bytes !== undefined) mark(operands.height - 2, instruction.offset, bytes);
      else if (op === OP.misc && sub === BULK.memoryInit) refuse(cursor, "memory.init is not supported", instruction.at);
      else if (hasFixedLength(instruction)) mark(operands.height - 3, 0, MAX_FIXED);
      const arity = arityOf(instruction) ?? refuse(cursor, `what opcode 0x${op.toString(16)} takes is not known`, instruction.at);
      apply(arity >> 4, arity & 15);
    }
  };

  while (frames.length > 0) {
    readInstruction(cursor, shape, locals, instruction);
    const { op } = instruction;
    if (op === OP.try) refuse(cursor, "exceptions of the old kind are not supported", instruction.at);
    if (op === OP.block || op === OP.loop || op === OP.if || op === OP.tryTable) open();
    else if (op === OP.end) close();
    else if (op === OP.else) otherwise();
    else if (live) step();
  }
  return { marks, loops: ranged };
}

/** The longest constant step: a turn's steps together stay far from going around the whole memory. */
const LONGEST_STEP = 1 << 20;

/**
 * What is written lies between the first address and the last, when it moves in one direction: from one write in a memory
 * of less than 2 GiB to the next there is only one signed way of less than 2 GiB, which is one step of whatever length, or
 * a few short ones.
 */
function rangeOf(local: number, step: Step, written: ReadonlyMap<number, Mark>): Range | undefined {
  const last = Math.max(...written.keys());
  const isShort = step.constant !== undefined && Math.abs(step.constant) <= LONGEST_STEP && step.count <= 64;
  for (let steps = 0; steps < step.count; steps++) if (!isShort && !written.has(steps)) return undefined;
  return { local, step, unused: step.count - last };
}

/** What no code runs after. */
const ENDS: ReadonlySet<number> = new Set([
  OP.unreachable, OP.br, OP.brTable, OP.return, OP.throw, OP.throwRef, OP.returnCall, OP.returnCallIndirect, OP.returnCallRef,
]);

