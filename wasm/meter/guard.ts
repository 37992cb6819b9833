import { BelljarError } from "../../src/base/errors.ts";
import { valueType } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import { byte, type Cursor, name, take, u32 } from "./reader.ts";
import { readNames } from "./names.ts";
import { open, readSections, SECTION, type Section } from "./sections.ts";
import { readShape, type Shape } from "./shape.ts";
import { newWriter, put, putAll, putBytes, putSigned, putU32, type Writer, written } from "./writer.ts";

/** The block type of a block that gives nothing (core spec, 5.4.1). */
const NO_RESULT = 0x40;
const I32 = 0x7f;

export interface Guards {
  /** A module whose exports are the checks, which call nothing; its memory stands for that of the module. */
  readonly checks: Uint8Array;
  /** Which check runs before which function, by their names: each takes the same parameters and gives an i32. */
  readonly before: Readonly<Record<string, string>>;
  /** The function that is called when a check gives anything but 0, and the number it is given. */
  readonly tell: { readonly function: string; readonly argument: number };
  /**
   * Functions that give the address of an object, or 0 for an exception, and before they give one look for what was
   * told: when `look` gives anything but 0, that is an exception, and the object is let go of.
   */
  readonly after: { readonly functions: readonly string[]; readonly look: string; readonly release: string };
}

/** What is read of a module: its sections, what surrounds its code, and each body of its code. */
interface Parts {
  readonly sections: readonly Section[];
  readonly shape: Shape;
  readonly bodies: readonly Cursor[];
}

function readParts(bytes: Uint8Array): Parts {
  const sections = readSections(bytes);
  const bodies: Cursor[] = [];
  const code = sections.find((section) => section.id === SECTION.code);
  if (code !== undefined) {
    const cursor = open(code);
    for (let left = u32(cursor); left > 0; left--) bodies.push(take(cursor, u32(cursor)));
  }
  return { sections, shape: readShape(sections), bodies };
}

function exportIndices(sections: readonly Section[]): Map<string, number> {
  const section = sections.find((candidate) => candidate.id === SECTION.export);
  const indices = new Map<string, number>();
  if (section === undefined) return indices;
  const cursor = open(section);
  for (let left = u32(cursor); left > 0; left--) {
    const text = name(cursor);
    byte(cursor);
    indices.set(text, u32(cursor));
  }
  return indices;
}

function found(indices: ReadonlyMap<string, number>, wanted: string): number {
  const index = indices.get(wanted);
  if (index === undefined) throw new BelljarError("BAD_MODULE", `no function is named ${wanted} (name section)`);
  return index;
}

function getAll(out: Writer, count: number): void {
  for (let parameter = 0; parameter < count; parameter++) {
    put(out, OP.localGet);
    putU32(out, parameter);
  }
}

function callTo(out: Writer, index: number): void {
  put(out, OP.call);
  putU32(out, index);
}

/** Instructions that call a check with all the parameters there are, and tell when it gives no 0. */
function guard(check: number, count: number, tell: number, argument: number): Uint8Array {
  const out = newWriter(32);
  getAll(out, count);
  callTo(out, check);
  putAll(out, [OP.if, NO_RESULT, OP.i32Const]);
  putSigned(out, argument);
  callTo(out, tell);
  putAll(out, [OP.drop, OP.end]);
  return written(out);
}

/** The body of a function that does what another does, then looks. */
function looking(count: number, to: { readonly inner: number; readonly look: number; readonly release: number }): Uint8Array {
  const out = newWriter(32);
  putAll(out, [1, 1, I32]);
  getAll(out, count);
  callTo(out, to.inner);
  put(out, OP.localTee);
  putU32(out, count);
  putAll(out, [OP.if, NO_RESULT]);
  callTo(out, to.look);
  putAll(out, [OP.if, NO_RESULT, OP.localGet]);
  putU32(out, count);
  callTo(out, to.release);
  putAll(out, [OP.i32Const, 0, OP.localSet]);
  putU32(out, count);
  putAll(out, [OP.end, OP.end, OP.localGet]);
  putU32(out, count);
  put(out, OP.end);
  return written(out);
}

function putBody(out: Writer, body: Cursor, types: number, guarding: Uint8Array = new Uint8Array(0)): void {
  const cursor = { ...body };
  for (let left = u32(cursor); left > 0; left--) {
    u32(cursor);
    valueType(cursor, types);
  }
  putU32(out, body.end - body.at + guarding.length);
  putBytes(out, body.bytes, body.at, cursor.at);
  putBytes(out, guarding, 0, guarding.length);
  putBytes(out, body.bytes, cursor.at, body.end);
}

function putVector(out: Writer, section: Section | undefined, more: Section | undefined): void {
  const [first, second] = [section, more].map((one) => (one === undefined ? undefined : open(one)));
  const count = (first === undefined ? 0 : u32(first)) + (second === undefined ? 0 : u32(second));
  putU32(out, count);
  for (const part of [first, second]) if (part !== undefined) putBytes(out, part.bytes, part.at, part.end);
}

function whole(bytes: Uint8Array): Cursor {
  return { bytes, at: 0, end: bytes.length, place: "code section" };
}

/** Where of the module's own functions one is, and how many parameters it takes. */
function place(parts: Parts, indices: ReadonlyMap<string, number>, wanted: string): { own: number; count: number } {
  const own = found(indices, wanted) - parts.shape.importedFunctions;
  const count = parts.shape.parameters[parts.shape.functionTypes[own] ?? -1];
  if (count === undefined) throw new BelljarError("BAD_MODULE", `${wanted} is not defined in the module (name section)`);
  return { own, count };
}

/**
 * Puts checks in front of functions of a module, and a look behind others: the code of both follows its own, so that no
 * index shifts.
 * @throws BAD_MODULE when a function or a check is not there, or takes other parameters than its check
 */
export function guardFunctions(bytes: Uint8Array, { checks, before, tell, after }: Guards): Uint8Array {
  const module = readParts(bytes);
  const added = readParts(checks);
  const { shape } = module;
  const names = readNames(module.sections);
  const exports = exportIndices(added.sections);
  const [teller, look, release] = [tell.function, after.look, after.release].map((wanted) => found(names, wanted));
  const guards = new Map<number, Uint8Array>();
  for (const [functionName, checkName] of Object.entries(before)) {
    const { own, count } = place(module, names, functionName);
    const check = place(added, exports, checkName);
    if (count !== check.count) {
      throw new BelljarError("BAD_MODULE", `${functionName} does not take what its check ${checkName} takes (type section)`);
    }
    guards.set(own, guard(shape.functions + check.own, count, teller ?? 0, tell.argument));
  }
  const moved = after.functions.map((wanted) => place(module, names, wanted));
  const bodies = [...module.bodies];
  for (const [index, { own, count }] of moved.entries()) {
    const inner = shape.functions + added.bodies.length + index;
    bodies[own] = whole(looking(count, { inner, look: look ?? 0, release: release ?? 0 }));
  }
  const behind = [...added.bodies, ...moved.flatMap(({ own }) => module.bodies[own] ?? [])];
  const types = [...added.shape.functionTypes.map((type) => shape.types + type), ...moved.map(({ own }) => shape.functionTypes[own] ?? 0)];
  const out = newWriter(bytes.length + checks.length + 4_096);
  putBytes(out, bytes, 0, 8);
  for (const section of module.sections) {
    const content = newWriter(256);
    if (section.id === SECTION.type) {
      putVector(content, section, added.sections.find((one) => one.id === SECTION.type));
    } else if (section.id === SECTION.function) {
      putU32(content, shape.functionTypes.length + types.length);
      for (const type of [...shape.functionTypes, ...types]) putU32(content, type);
    } else if (section.id === SECTION.code) {
      putU32(content, bodies.length + behind.length);
      for (const [index, body] of bodies.entries()) putBody(content, body, shape.types, guards.get(index));
      for (const body of behind) putBody(content, body, shape.types);
    } else {
      putBytes(content, section.body.bytes, section.start, section.body.end);
    }
    put(out, section.id);
    putU32(out, content.length);
    putBytes(out, content.bytes, 0, content.length);
  }
  return out.bytes.slice(0, out.length);
}
