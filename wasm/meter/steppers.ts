import { chargeLength, type Counter } from "./keeping.ts";
import { BULK, OP } from "./opcodes.ts";
import { MARKER_TYPE, markerBody } from "./record.ts";
import { newWriter, put, putAll, putSigned, putU32, type Writer } from "./writer.ts";

/** The longest fill or copy that is one step: half a millisecond where pages are touched for the first time. */
export const STEP_BYTES = 1_048_576;

/**
 * What steppers stand for. Of the other bulk operations none is long: a `memory.init` has the length of its segment at
 * most, a table V8's ten million slots.
 */
const STEPPED: readonly number[] = [BULK.memoryCopy, BULK.memoryFill];

/** The type of every stepper: three i32, no result. */
export const STEPPER_TYPE = [0x60, 3, 0x7f, 0x7f, 0x7f, 0] as const;

/** The place of the stepper that does the operation, among the steppers. */
export function stepperOf(sub: number): number | undefined {
  const at = STEPPED.indexOf(sub);
  return at < 0 ? undefined : at;
}

/** Parameters: what the operation pops. */
const TO = 0;
const SOURCE = 1;
const LENGTH = 2;
/** Locals: length of this step, bytes done, and from where in the whole this step is; then an i64 for the counter. */
const STEP = 3;
const DONE = 4;
const OFFSET = 5;
const SCRATCH = 6;
const LOCALS = [2, 3, 0x7f, 1, 0x7e] as const;

const get = (local: number): number[] => [OP.localGet, local];

function operation(sub: number, to: readonly number[], source: readonly number[], length: readonly number[]): number[] {
  return [...to, ...source, ...length, OP.misc, sub, ...(sub === BULK.memoryCopy ? [0, 0] : [0])];
}

/** Whether `from` and the length lead past the memory's end. */
function isOutside(from: number): number[] {
  const wide = (local: number): number[] => [...get(local), OP.i64ExtendI32U];
  return [...wide(from), ...wide(LENGTH), OP.i64Add, OP.memorySize, 0, OP.i64ExtendI32U, OP.i64Const, 16, OP.i64Shl, OP.i64GtU];
}

/**
 * Writes the body of a stepper: the operation in steps, each charged before it is done, with a yield where fuel is used
 * up. What is out of bounds traps before anything is written; bytes that lie in each other's way are copied
 * from that end which no later step reads.
 * @returns the offsets of the branches that are hardly ever taken
 */
function putStepper(out: Writer, counter: Counter, sub: number, marker: number | undefined): number[] {
  const hints: number[] = [];
  const isCopy = sub === BULK.memoryCopy;
  const whole = operation(sub, get(TO), get(SOURCE), get(LENGTH));
  const stepBytes = (): void => {
    put(out, OP.i32Const);
    putSigned(out, STEP_BYTES);
  };
  /** Of no bytes it marks one page too many. */
  const mark = (to: readonly number[], length: readonly number[]): void => {
    if (marker === undefined) return;
    putAll(out, [...to, ...to, ...length, OP.i32Add, OP.call]);
    putU32(out, marker);
  };
  putAll(out, LOCALS);
  putAll(out, get(LENGTH));
  stepBytes();
  putAll(out, [OP.i32LeU, OP.if, 0x40]);
  chargeLength(out, counter, LENGTH, SCRATCH, hints);
  mark(get(TO), get(LENGTH));
  putAll(out, [...whole, OP.return, OP.end]);
  for (const from of isCopy ? [TO, SOURCE] : [TO]) putAll(out, [...isOutside(from), OP.if, 0x40, ...whole, OP.end]);
  putAll(out, [OP.loop, 0x40]);
  stepBytes();
  putAll(out, get(LENGTH));
  putAll(out, get(LENGTH));
  stepBytes();
  putAll(out, [OP.i32GtU, OP.select, OP.localSet, STEP]);
  chargeLength(out, counter, STEP, SCRATCH, hints);
  putAll(out, [...get(LENGTH), ...get(STEP), OP.i32Sub, OP.localSet, LENGTH]);
  const backwards = isCopy ? [...get(LENGTH), ...get(TO), ...get(SOURCE), OP.i32LeU, OP.select] : [];
  putAll(out, [...get(DONE), ...backwards, OP.localSet, OFFSET]);
  const moved = (from: number): number[] => [...get(from), ...get(OFFSET), OP.i32Add];
  mark(moved(TO), get(STEP));
  putAll(out, operation(sub, moved(TO), isCopy ? moved(SOURCE) : get(SOURCE), get(STEP)));
  putAll(out, [...get(DONE), ...get(STEP), OP.i32Add, OP.localSet, DONE]);
  putAll(out, [...get(LENGTH), OP.brIf, 0, OP.end, OP.end]);
  return hints;
}

/** A function that the pass appends: its type, among those that the pass adds after that of a yield, its body, and the offsets in it of the branches that are hardly ever taken. */
export interface Stepper {
  readonly type: number;
  readonly body: Writer;
  readonly hints: readonly number[];
}

/** The types of what {@link writeSteppers} writes, in the order of their numbers. */
export const ADDED_TYPES = [STEPPER_TYPE, MARKER_TYPE] as const;

/** The place of the marker, counted from the first stepper. */
export const MARKER = STEPPED.length;

/** @param first index of the first of them; @param record whether they mark the pages that they write to, by a marker after them */
export function writeSteppers(counter: Counter, first: number, record: boolean): Stepper[] {
  const steppers = STEPPED.map((sub) => {
    const body = newWriter(256);
    return { type: 0, body, hints: putStepper(body, counter, sub, record ? first + MARKER : undefined) };
  });
  return record ? [...steppers, { type: 1, body: markerBody(), hints: [] }] : steppers;
}
