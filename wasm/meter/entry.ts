import { type Spaces, valueType } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import { below, byte, type Cursor, heapType, name, refuse, skip, skipSigned, u32 } from "./reader.ts";

export interface Global {
  readonly type: number;
  readonly mutable: boolean;
}

export interface Limits {
  readonly shared: boolean;
  readonly minimum: number;
  readonly maximum?: number;
}

/** The kinds of import and export, which number them alike. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

/** What entries may name, and which functions they did name: those can be called by more than their name. */
export interface Known extends Pick<Spaces, "types" | "functions" | "globals" | "tables"> {
  readonly taken: Set<number>;
}

/** Limits of a memory or a table. */
export function limits(cursor: Cursor): Limits {
  const flags = byte(cursor);
  if (flags > 3) refuse(cursor, "64-bit memories and tables, and page sizes, are not supported", cursor.at - 1);
  const minimum = u32(cursor);
  return { shared: (flags & 2) !== 0, minimum, ...((flags & 1) === 0 ? {} : { maximum: u32(cursor) }) };
}

function tableType(cursor: Cursor, types: number): void {
  valueType(cursor, types);
  limits(cursor);
}

function globalType(cursor: Cursor, types: number): Global {
  const type = valueType(cursor, types);
  const mutability = byte(cursor);
  if (mutability > 1) refuse(cursor, `mutability ${mutability}`, cursor.at - 1);
  return { type, mutable: mutability === 1 };
}

/** A constant expression: the few instructions that may stand in one (core spec, 3.3.10). */
export function constant(cursor: Cursor, known: Known): void {
  for (;;) {
    const op = byte(cursor);
    if (op === OP.end) return;
    if (op === OP.i32Const) skipSigned(cursor, 32);
    else if (op === OP.i64Const) skipSigned(cursor, 64);
    else if (op === OP.f32Const) skip(cursor, 4);
    else if (op === OP.f64Const) skip(cursor, 8);
    else if (op === OP.globalGet) below(cursor, known.globals, "global");
    else if (op === OP.refFunc) known.taken.add(below(cursor, known.functions, "function"));
    else if (op === OP.refNull) heapType(cursor, known.types);
    else if (op === OP.simd && u32(cursor) === 12) skip(cursor, 16);
    else if (!(op >= 0x6a && op <= 0x6c) && !(op >= 0x7c && op <= 0x7e)) {
      refuse(cursor, `opcode 0x${op.toString(16)} in a constant`, cursor.at - 1);
    }
  }
}

/** A table of the table section, which may bring the value that its slots begin with. */
export function table(cursor: Cursor, known: Known): void {
  const initialised = cursor.bytes[cursor.at] === 0x40;
  if (initialised) {
    skip(cursor, 1);
    if (byte(cursor) !== 0) refuse(cursor, "table form", cursor.at - 1);
  }
  tableType(cursor, known.types);
  if (initialised) constant(cursor, known);
}

export function global(cursor: Cursor, known: Known): Global {
  const found = globalType(cursor, known.types);
  constant(cursor, known);
  return found;
}

export function tag(cursor: Cursor, types: number): void {
  if (byte(cursor) !== 0) refuse(cursor, "tag attribute", cursor.at - 1);
  below(cursor, types, "type");
}

/** An import: its kind, and the type index of a function. */
export function imported(cursor: Cursor, types: number): { readonly kind: number; readonly type: number | undefined } {
  name(cursor);
  name(cursor);
  const kind = byte(cursor);
  const type = kind === KIND.function ? below(cursor, types, "type") : undefined;
  if (kind === KIND.table) tableType(cursor, types);
  else if (kind === KIND.memory) limits(cursor);
  else if (kind === KIND.global) globalType(cursor, types);
  else if (kind === KIND.tag) tag(cursor, types);
  else if (kind !== KIND.function) refuse(cursor, `import kind ${kind}`, cursor.at - 1);
  return { kind, type };
}

/** An export. @returns its name */
export function exported(cursor: Cursor, known: Known): string {
  const found = name(cursor);
  const kind = byte(cursor);
  if (kind === KIND.table) below(cursor, known.tables, "table");
  else if (kind === KIND.global) below(cursor, known.globals, "global");
  else if (kind === KIND.function) known.taken.add(below(cursor, known.functions, "function"));
  else u32(cursor);
  return found;
}

/** An element segment of any of its eight forms (core spec, 5.5.12). */
export function element(cursor: Cursor, known: Known): void {
  const flags = u32(cursor);
  if (flags > 7) refuse(cursor, `element segment flags ${flags}`, cursor.at - 1);
  const active = (flags & 1) === 0;
  const explicit = (flags & 2) !== 0;
  const expressions = (flags & 4) !== 0;
  if (active && explicit) below(cursor, known.tables, "table");
  if (active) constant(cursor, known);
  if (!active || explicit) {
    if (expressions) valueType(cursor, known.types);
    else if (byte(cursor) !== 0) refuse(cursor, "element kind", cursor.at - 1);
  }
  for (let left = u32(cursor); left > 0; left--) {
    if (expressions) constant(cursor, known);
    else known.taken.add(below(cursor, known.functions, "function"));
  }
}

/** A data segment. @returns whether it is active */
export function data(cursor: Cursor, known: Known): boolean {
  const flags = u32(cursor);
  if (flags > 2) refuse(cursor, `data segment flags ${flags}`, cursor.at - 1);
  if (flags === 2) u32(cursor);
  if (flags !== 1) constant(cursor, known);
  skip(cursor, u32(cursor));
  return flags !== 1;
}
