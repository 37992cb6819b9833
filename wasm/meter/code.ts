import { entryCharge, meterBody } from "./body.ts";
import { type Definition, unmarkedFunctions } from "./calls.ts";
import { valueType } from "./instruction.ts";
import { type Cursor, refuse, take, u32 } from "./reader.ts";
import { open, type Section } from "./sections.ts";
import type { Shape } from "./shape.ts";
import { MARKER, writeSteppers } from "./steppers.ts";
import { newWriter, put, putAll, putBytes, putU32, type Writer, written } from "./writer.ts";

const I32 = 0x7f;
const I64 = 0x7e;
/** V8's own limit on the locals of one function. */
const MAX_LOCALS = 50_000;

/** The code section, rewritten. */
export interface Code {
  /** Its content; undefined when it stays as it is. */
  readonly bytes: Uint8Array | undefined;
  /** Content of the branch hints section that belongs to it. */
  readonly hints: Uint8Array | undefined;
  readonly loops: number;
  /** The type of each function that was appended. */
  readonly appended: readonly number[];
}

interface Declared {
  readonly groups: number;
  readonly from: number;
  readonly locals: number;
}

function declaredLocals(body: Cursor, types: number): Declared {
  const groups = u32(body);
  const from = body.at;
  let locals = 0;
  for (let left = groups; left > 0; left--) {
    locals += u32(body);
    if (locals > MAX_LOCALS) refuse(body, "too many locals");
    valueType(body, types);
  }
  return { groups, from, locals };
}

/** Writes a body with its locals and those that the pass adds. @returns how many bytes stand before the instructions */
function writeBody(out: Writer, { declared, code }: Source, words: number, rewritten: Writer): number {
  const head = newWriter(16);
  putU32(head, declared.groups + (words > 0 ? 2 : 1));
  const tail = newWriter(16);
  putAll(tail, [1, I64]);
  if (words > 0) {
    putU32(tail, words);
    put(tail, I32);
  }
  const size = head.length + (code.at - declared.from) + tail.length + rewritten.length;
  putU32(out, size);
  putBytes(out, written(head), 0, head.length);
  putBytes(out, code.bytes, declared.from, code.at);
  putBytes(out, tail.bytes, 0, tail.length);
  putBytes(out, rewritten.bytes, 0, rewritten.length);
  return size - rewritten.length;
}

/** One function's branch hints: not taken (branch hinting proposal, `metadata.code.branch_hint`). */
function putHints(out: Writer, index: number, hints: readonly number[], before: number): void {
  putU32(out, index);
  putU32(out, hints.length);
  for (const offset of hints) {
    putU32(out, offset + before);
    put(out, 1);
    put(out, 0);
  }
}

interface Source extends Definition {
  /** At the function's locals. */
  readonly body: Cursor;
  readonly declared: Declared;
}

function readDefinitions(section: Section | undefined, shape: Shape): Source[] {
  const count = shape.functionTypes.length;
  const cursor = section === undefined ? { bytes: new Uint8Array([0]), at: 0, end: 1, place: "code section" } : open(section);
  if (u32(cursor) !== count) refuse(cursor, `other than ${count} functions`, section?.body.at);
  const sources = shape.functionTypes.map((type): Source => {
    const body = take(cursor, u32(cursor));
    const code = { ...body };
    const declared = declaredLocals(code, shape.types);
    const parameters = shape.parameters[type] ?? 0;
    return { body, declared, code, result: shape.results[type], parameters, locals: parameters + declared.locals };
  });
  if (cursor.at !== cursor.end) refuse(cursor, "more bytes than functions");
  return sources;
}

/** What callers pay ahead, by function index, for the functions that don't charge where they begin. */
function payAhead(sources: readonly Source[], shape: Shape): { ahead: Int32Array; unmarked: Set<number> } {
  const unmarked = unmarkedFunctions(sources, shape, shape.importedFunctions, shape.taken);
  const ahead = new Int32Array(shape.functions);
  for (const index of unmarked) {
    const source = sources[index - shape.importedFunctions];
    if (source !== undefined) ahead[index] = entryCharge(source, shape, ahead);
  }
  return { ahead, unmarked: new Set(unmarked) };
}

/** Items with their number before them. */
function counted(items: number, content: Writer): Uint8Array {
  const out = newWriter(8 + content.length);
  putU32(out, items);
  putBytes(out, content.bytes, 0, content.length);
  return written(out);
}

/** What the code is rewritten with: the counter, without which it is only checked and counted; marks of what it writes; and each function once more without them. */
export interface Wanted {
  readonly fuel: boolean;
  readonly record: boolean;
  readonly twins: boolean;
}

/** Rewrites every function. */
export function writeCode(section: Section | undefined, shape: Shape, { fuel, record, twins }: Wanted): Code {
  const sources = readDefinitions(section, shape);
  const { ahead, unmarked } = fuel ? payAhead(sources, shape) : { ahead: new Int32Array(), unmarked: new Set<number>() };
  const add = { fuelGlobal: shape.globals, yieldType: shape.types, yieldTable: shape.tables, firstStepper: shape.functions, imported: shape.importedFunctions, ahead };
  const size = section === undefined ? 0 : section.body.end - section.body.at;
  const out = newWriter(Math.ceil(size * 1.4) + 64);
  const rewritten = newWriter(1 << 16);
  const hints = newWriter(sources.length * 4 + 64);
  let loops = 0;
  let hinted = 0;
  let stepped = false;
  /** How far behind a function its twin is: behind all of them, and the steppers. */
  const apart = sources.length + MARKER + 1;
  const write = (source: Source, original: number, isTwin: boolean): void => {
    rewritten.length = 0;
    const twin = twins ? { isTwin, apart, own: original + apart, plainGlobal: shape.globals + 1 } : undefined;
    const met = meterBody(source, shape, { ...add, twin, record: record && !isTwin, unmarked: unmarked.has(original) }, rewritten);
    loops += isTwin ? 0 : met.loops;
    const before = writeBody(out, source, met.words, rewritten);
    stepped ||= met.stepped;
    if (met.hints.length === 0) return;
    hinted++;
    putHints(hints, isTwin ? original + apart : original, met.hints, before);
  };
  for (const [order, source] of sources.entries()) write(source, shape.importedFunctions + order, false);
  if (!fuel || section === undefined) return { bytes: undefined, hints: undefined, loops, appended: [] };
  const steppers = stepped || record ? writeSteppers(add, add.firstStepper, record) : [];
  for (const [order, { body, hints: own }] of steppers.entries()) {
    putU32(out, body.length);
    putBytes(out, body.bytes, 0, body.length);
    if (own.length === 0) continue;
    hinted++;
    putHints(hints, add.firstStepper + order, own, 0);
  }
  const appended = steppers.map(({ type }) => shape.types + 1 + type);
  if (twins) {
    for (const [order, source] of sources.entries()) write(source, shape.importedFunctions + order, true);
    appended.push(...shape.functionTypes);
  }
  return { bytes: counted(sources.length + appended.length, out), hints: counted(hinted, hints), loops, appended };
}
