import { meterBody } from "./body.ts";
import { valueType } from "./instruction.ts";
import { type Cursor, refuse, take, u32 } from "./reader.ts";
import { open, type Section } from "./sections.ts";
import type { Shape } from "./shape.ts";
import { newWriter, put, putBytes, putU32, type Writer, written } from "./writer.ts";

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

function writeBody(out: Writer, body: Cursor, declared: Declared, bulk: boolean, rewritten: Writer): number {
  const head = newWriter(16);
  putU32(head, declared.groups + (bulk ? 2 : 1));
  const tail = bulk ? [1, I64, 1, I32] : [1, I64];
  const size = head.length + (body.at - declared.from) + tail.length + rewritten.length;
  putU32(out, size);
  putBytes(out, written(head), 0, head.length);
  putBytes(out, body.bytes, declared.from, body.at);
  putBytes(out, Uint8Array.from(tail), 0, tail.length);
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

/** Rewrites every function with the counter; without `fuel` it only checks and counts nothing. */
export function writeCode(section: Section | undefined, shape: Shape, fuel: boolean): Code {
  const count = shape.functionTypes.length;
  if (section === undefined) {
    if (count > 0) refuse({ bytes: new Uint8Array(), at: 0, end: 0, place: "code section" }, `no code for ${count} functions`);
    return { bytes: undefined, hints: undefined, loops: 0 };
  }
  const cursor = open(section);
  if (u32(cursor) !== count) refuse(cursor, `other than ${count} functions`, section.body.at);
  const add = { fuelGlobal: shape.globals, yieldType: shape.types, yieldTable: shape.tables };
  const out = newWriter(Math.ceil((cursor.end - cursor.at) * 1.5) + 64);
  const rewritten = newWriter(1 << 16);
  putU32(out, count);
  let loops = 0;
  let index = shape.importedFunctions;
  let hinted = 0;
  const hints = newWriter(count * 4 + 64);
  for (const type of shape.functionTypes) {
    const parameters = shape.parameters[type] ?? 0;
    const body = take(cursor, u32(cursor));
    const declared = declaredLocals(body, shape.types);
    const instructions = { ...body };
    rewritten.length = 0;
    const met = meterBody(instructions, shape, parameters + declared.locals, add, rewritten);
    loops += met.loops;
    const before = writeBody(out, body, declared, met.bulk, rewritten);
    if (met.hints.length > 0) {
      hinted++;
      putHints(hints, index, met.hints, before);
    }
    index++;
  }
  if (cursor.at !== cursor.end) refuse(cursor, "more bytes than functions");
  const head = newWriter(8);
  putU32(head, hinted);
  putBytes(head, hints.bytes, 0, hints.length);
  return fuel ? { bytes: written(out), hints: written(head), loops } : { bytes: undefined, hints: undefined, loops };
}
