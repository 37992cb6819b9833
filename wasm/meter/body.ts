import type { Definition } from "./calls.ts";
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
  /** Whether it marks the pages that it writes to. */
  readonly record: boolean;
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
  words: number;
  stepped: boolean;
  /** Writes what has to be marked before the host is called at the head of the loop at an offset. */
  atHead(offset: number): void;
}

/** Own locals: the counter's, the one for lengths, then those that keep addresses. */
const FIRST_KEPT = 2;
const NO_MARKS: Marks = { marks: [], loops: [] };

/** Both by their offsets; what keeps an operand comes right after that was pushed. */
function inOrder(spots: readonly Spot[], marks: readonly Written[]): readonly (Spot | Written)[] {
  return marks.length === 0 ? spots : [...marks, ...spots].sort((one, other) => one.at - other.at);
}

function copier(out: Writer, { code, locals }: Definition, marks: Marks, keeping: Keeping, add: Additions): Copier {
  const marking = markWriter(out, marks, locals + FIRST_KEPT, add.firstStepper + MARKER);
  const spots = inOrder(trace.spots, marking.spots);
  let from = code.at;
  let next = 0;
  const copy = (end: number): void => {
    putBytes(out, code.bytes, from, end);
    from = end;
  };
  const write = (spot: Spot | Written): void => {
    if ("write" in spot) {
      copy(spot.at);
      spot.write();
      return;
    }
    if (spot.kind !== "bulk") {
      if (!keeping.isLocal) return;
      copy(spot.at);
      keeping.handOn(out);
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
  const made = copier(out, definition, add.record ? findMarks(definition, shape) : NO_MARKS, keeping, add);
  hints.length = 0;
  // Branches out of the function lead to the end of this block, where the counter is handed on.
  if (keeping.isLocal && result !== undefined) putAll(out, [OP.block, result]);
  keeping.takeUp(out);
  // What neither loops nor calls ends soon, and its callers are tested.
  const leaf = trace.loops === 0 && trace.calls === 0;
  for (const [segment, start] of graph.start.entries()) {
    const cost = charges[segment] ?? 0;
    if (segment === 0 && add.unmarked) continue;
    const tested = !leaf && graph.tested[segment] === true;
    if (cost === 0 && !tested) continue;
    made.copyTo(start);
    keeping.charge(out, cost, tested);
    if (tested) yieldBelowZero(out, add, locals, hints, keeping, () => made.atHead(start));
  }
  made.copyTo(cursor.end);
  if (keeping.isLocal) {
    keeping.handOn(out);
    put(out, OP.end);
  }
  // V8 holds a table for each function with hints: all of them took 20 MB and a third of the time to compile Python.
  const isHot = graph.runs.some((runs) => runs >= LOOP_RUNS);
  return { loops: trace.loops, words: made.words, stepped: made.stepped, hints: isHot ? hints : NO_HINTS };
}
