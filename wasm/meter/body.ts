import type { Definition } from "./calls.ts";
import { type Exit, findDispatch, putExit } from "./dispatch.ts";
import { LOOP_RUNS } from "./flow.ts";
import type { Spaces } from "./instruction.ts";
import { chargeLength, chooseKeeping, type Counter, type Keeping, yieldBelowZero } from "./keeping.ts";
import { markWriter, type Written } from "./marking.ts";
import { findMarks, type Marks } from "./marks.ts";
import { OP } from "./opcodes.ts";
import { placeCharges } from "./placement.ts";
import { newTrace, type Spot, type Trace, traceBody } from "./trace.ts";
import type { Shape } from "./shape.ts";
import { MARKER, stepperOf } from "./steppers.ts";
import { put, putAll, putBytes, putU32, type Writer } from "./writer.ts";

/** What a body is rewritten with: indices of what the pass adds to the module. */
export interface Additions extends Counter {
  /** The function that stands for long copies; the other steppers follow it. */
  readonly firstStepper: number;
  /** What calls pay ahead for the functions they call, by index. */
  readonly ahead: Int32Array;
  /** Whether this function's callers pay for its entry. */
  readonly unmarked: boolean;
  /** How many functions are imported: these have no twin. */
  readonly imported: number;
  /** Whether it marks the pages that it writes to. */
  readonly record: boolean;
  /** Where each function is there twice. */
  readonly twin: Twin | undefined;
}

/** One of two copies of a function: the first marks what it writes, the second doesn't. */
interface Twin {
  readonly isTwin: boolean;
  /** How far the index of a second copy is from that of the first. */
  readonly apart: number;
  /** Index of this function's second copy. */
  readonly own: number;
  /** The global that tells whether the second ones are to run. */
  readonly plainGlobal: number;
}

/** How code is written: whether without marks, and by how many labels it lies deeper than it did. */
interface Style {
  readonly isPlain: boolean;
  readonly deeper: number;
}

/** The code from one offset to another, with what has to stand right at the end; what has to stand at the beginning is the first's alone. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isFirst: boolean;
  readonly style: Style;
  /** Where, after a yield, it may go over to the copy of its loop. */
  readonly changing?: number;
}

const EMPTY_TYPE = 0x40;

/** Goes on in the function's second copy, when those are to run. */
function putEntryOfTwin(out: Writer, { own, plainGlobal }: Twin, parameters: number): void {
  put(out, OP.globalGet);
  putU32(out, plainGlobal);
  putAll(out, [OP.if, EMPTY_TYPE]);
  for (let local = 0; local < parameters; local += 1) {
    put(out, OP.localGet);
    putU32(out, local);
  }
  put(out, OP.returnCall);
  putU32(out, own);
  put(out, OP.end);
}

/** The same for the copy of a loop, which charges what the head has charged just now; from within the test there: out of two ifs, the loop, and the block around it. */
function changeOver(out: Writer, { plainGlobal }: Twin, keeping: Keeping, charged: number): void {
  put(out, OP.globalGet);
  putU32(out, plainGlobal);
  putAll(out, [OP.if, EMPTY_TYPE]);
  keeping.charge(out, -charged, false);
  putAll(out, [OP.br, 3, OP.end]);
}

/** What the pass met in one function. */
export interface Body {
  readonly loops: number;
  /** How many i32 locals it takes: one for bulk operations on tables, which are charged by their length where they stand, and those that keep addresses. */
  readonly words: number;
  /** Whether it calls steppers. */
  readonly stepped: boolean;
  /** Offsets in what was written of the branches that are hardly ever taken; none where that hardly matters. */
  readonly hints: readonly number[];
}

// One function after the other: these are used again, not made 89,060 times.
const trace = newTrace();
const hints: number[] = [];
const NO_HINTS: readonly number[] = [];

/** Charges by segment, of the function whose graph `trace` holds. */
function chargesOf({ catches, flow }: Trace): readonly number[] {
  // Where exceptions are caught, a segment can be left in its middle: each pays for itself, so that none is skipped.
  return catches ? flow.graph.cost : placeCharges(flow.graph);
}

/** What a function charges where it begins: what its callers pay when it does not do so itself. */
export function entryCharge({ code, locals }: Definition, spaces: Spaces, ahead: Int32Array): number {
  traceBody({ ...code }, spaces, locals, ahead, trace);
  return chargesOf(trace)[0] ?? 0;
}

/** Writes the code of a function with what has to stand around its calls, its ways out and its bulk operations. */
interface Copier {
  /** Copies up to an offset of the code. */
  copyTo(end: number): void;
  /** Writes what has to stand right there. */
  settle(): void;
  words: number;
  stepped: boolean;
  /** Writes what has to be marked before the host is called at the head of the loop at an offset. */
  atHead(offset: number): void;
}

/** Own locals: the counter's, the one for lengths, then those that keep addresses. */
const FIRST_KEPT = 2;
const NO_MARKS: Marks = { marks: [], loops: [] };

/** All by their offsets; what keeps an operand comes right after that was pushed. */
function inOrder(spots: readonly Spot[], marks: readonly Written[], exits: readonly Exit[]): readonly (Spot | Written | Exit)[] {
  return marks.length + exits.length === 0 ? spots : [...marks, ...exits, ...spots].sort((one, other) => one.at - other.at);
}

interface Copied extends Pick<Stretch, "from" | "isFirst" | "style"> {
  readonly definition: Definition;
  readonly marks: Marks;
  readonly exits: readonly Exit[];
  readonly keeping: Keeping;
  readonly add: Additions;
}

function copier(out: Writer, { definition: { code, locals }, from: first, isFirst, marks, exits, keeping, add, style: { isPlain, deeper } }: Copied): Copier {
  const marking = markWriter(out, isPlain ? NO_MARKS : marks, locals + FIRST_KEPT, add.firstStepper + MARKER);
  const all = inOrder(trace.spots, marking.spots, deeper > 0 ? exits : []);
  const spots = isFirst ? all : all.filter((spot) => ("write" in spot ? spot.at > first : spot.at >= first));
  const renamed = isPlain ? (add.twin?.apart ?? 0) : 0;
  let from = first;
  let next = 0;
  const copy = (end: number): void => {
    putBytes(out, code.bytes, from, end);
    from = end;
  };
  const write = (spot: Spot | Written | Exit): void => {
    if ("write" in spot) {
      copy(spot.at);
      spot.write();
      return;
    }
    if ("labels" in spot) {
      copy(spot.at);
      putExit(out, spot, deeper);
      from = spot.end;
      return;
    }
    if (spot.kind !== "bulk") {
      const isRenamed = renamed > 0 && spot.callee !== undefined && spot.callee >= add.imported;
      if (!keeping.isLocal && !isRenamed) return;
      copy(spot.at);
      keeping.handOn(out);
      if (isRenamed) {
        copy(spot.at + 1);
        putU32(out, (spot.callee ?? 0) + renamed);
        from = spot.end;
      }
      copy(spot.end);
      if (spot.kind === "call") keeping.takeUp(out);
      return;
    }
    copy(spot.at);
    const stepper = stepperOf(spot.sub);
    if (stepper === undefined) {
      made.words = Math.max(made.words, 1);
      put(out, OP.localTee);
      putU32(out, locals + 1);
    }
    keeping.handOn(out);
    if (stepper === undefined) chargeLength(out, add, locals + 1, locals, hints);
    else {
      made.stepped = true;
      put(out, OP.call);
      putU32(out, add.firstStepper + stepper);
      from = spot.end;
    }
    keeping.takeUp(out);
  };
  const made: Copier = {
    words: marking.locals === 0 ? 0 : FIRST_KEPT - 1 + marking.locals,
    stepped: false,
    atHead: marking.atHead,
    copyTo(end) {
      for (let spot = spots[next]; spot !== undefined && spot.at < end; spot = spots[++next]) write(spot);
      copy(end);
    },
    settle() {
      for (let spot = spots[next]; spot !== undefined && spot.at === from && "write" in spot; spot = spots[++next]) write(spot);
    },
  };
  return made;
}

/**
 * Rewrites the instructions of one function: charges stand at the starts of segments, where {@link placeCharges} puts
 * them, and the counter is tested at the entry, at each loop head and before each bulk operation.
 * The caller adds an i64 local, and `words` of i32 after it.
 */
export function meterBody(definition: Definition, shape: Shape, add: Additions, out: Writer): Body {
  const { code, locals, result } = definition;
  const cursor = { ...code };
  traceBody(cursor, shape, locals, add.ahead, trace);
  const { graph } = trace.flow;
  const charges = chargesOf(trace);
  const keeping = chooseKeeping(add, locals, charges, trace, result);
  const marks = add.record ? findMarks(definition, shape) : NO_MARKS;
  // What neither loops nor calls ends soon, and its callers are tested.
  const leaf = trace.loops === 0 && trace.calls === 0;
  const twin = add.twin?.isTwin === false ? add.twin : undefined;
  const dispatch = twin && findDispatch(definition, shape);
  hints.length = 0;
  let words = 0;
  let stepped = false;

  const write = ({ from, to, isFirst, style, changing }: Stretch): void => {
    const made = copier(out, { definition, from, isFirst, marks, exits: dispatch?.exits ?? [], keeping, add, style });
    for (const [segment, start] of graph.start.entries()) {
      const cost = charges[segment] ?? 0;
      if (start > to || (isFirst ? segment === 0 && add.unmarked : start <= from)) continue;
      const tested = !leaf && graph.tested[segment] === true;
      if (cost === 0 && !tested) continue;
      made.copyTo(start);
      keeping.charge(out, cost, tested);
      if (tested) yieldBelowZero(out, add, locals, hints, keeping, () => made.atHead(start), twin !== undefined && start === changing ? () => changeOver(out, twin, keeping, cost) : undefined);
    }
    made.copyTo(to);
    made.settle();
    words = Math.max(words, made.words);
    stepped ||= made.stepped;
  };

  if (twin !== undefined && !leaf && !add.unmarked) putEntryOfTwin(out, twin, definition.parameters);
  // Branches out of the function lead to the end of this block, where the counter is handed on.
  if (keeping.isLocal && result !== undefined) putAll(out, [OP.block, result]);
  keeping.takeUp(out);
  const style = { isPlain: add.twin?.isTwin === true, deeper: 0 };
  if (dispatch === undefined) write({ from: code.at, to: cursor.end, isFirst: true, style });
  else {
    const { at, head, end } = dispatch;
    write({ from: code.at, to: at, isFirst: true, style });
    put(out, OP.block);
    putBytes(out, code.bytes, at + 1, head);
    putAll(out, [OP.block, EMPTY_TYPE]);
    write({ from: at, to: end, isFirst: false, style: { isPlain: false, deeper: 2 }, changing: head });
    putAll(out, [OP.br, 1, OP.end]);
    write({ from: at, to: end, isFirst: false, style: { isPlain: true, deeper: 1 } });
    put(out, OP.end);
    write({ from: end, to: cursor.end, isFirst: false, style });
  }
  if (keeping.isLocal) {
    keeping.handOn(out);
    put(out, OP.end);
  }
  // V8 holds a table for each function with hints: all of them took 20 MB and a third of the time to compile Python.
  const isHot = graph.runs.some((runs) => runs >= LOOP_RUNS);
  return { loops: trace.loops, words, stepped, hints: isHot ? hints : NO_HINTS };
}
