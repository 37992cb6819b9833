import { type Spaces, valueType } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import { byte, type Cursor, name, refuse, skip, skipSigned, take, u32 } from "./reader.ts";
import { open, SECTION, type Section } from "./sections.ts";

export interface Signature {
  readonly parameters: number;
  readonly results: number;
}

export interface Global {
  readonly type: number;
  readonly mutable: boolean;
}

/** What of a module the pass has to know before it reads the code. */
export interface Shape extends Spaces {
  readonly signatures: readonly Signature[];
  readonly importedFunctions: number;
  readonly importedGlobals: number;
  readonly importedMemories: number;
  /** Type index of each function that is defined in the module. */
  readonly functionTypes: readonly number[];
  /** The globals defined in the module. */
  readonly definedGlobals: readonly Global[];
  /** Flags, minimum and maximum of the memory defined in the module. */
  readonly memory?: Limits;
  readonly exportNames: ReadonlySet<string>;
}

export interface Limits {
  readonly shared: boolean;
  readonly minimum: number;
  readonly maximum?: number;
}

/** Reads `vec(item)` to the end of its section. */
function items<T>(section: Section | undefined, read: (cursor: Cursor) => T): T[] {
  if (section === undefined) return [];
  const cursor = open(section);
  const found: T[] = [];
  for (let left = u32(cursor); left > 0; left--) found.push(read(cursor));
  if (cursor.at !== cursor.end) refuse(cursor, "more bytes than items");
  return found;
}

function valueTypes(cursor: Cursor): number {
  const count = u32(cursor);
  for (let left = count; left > 0; left--) valueType(cursor);
  return count;
}

function signature(cursor: Cursor): Signature {
  const form = byte(cursor);
  if (form !== 0x60) refuse(cursor, `type form 0x${form.toString(16)} is not supported`, cursor.at - 1);
  return { parameters: valueTypes(cursor), results: valueTypes(cursor) };
}

function limits(cursor: Cursor): Limits {
  const flags = byte(cursor);
  if (flags > 3) refuse(cursor, "64-bit memories and tables, and page sizes, are not supported", cursor.at - 1);
  const minimum = u32(cursor);
  return { shared: (flags & 2) !== 0, minimum, ...((flags & 1) === 0 ? {} : { maximum: u32(cursor) }) };
}

function tableType(cursor: Cursor): void {
  valueType(cursor);
  limits(cursor);
}

function globalType(cursor: Cursor): Global {
  const type = valueType(cursor);
  const mutability = byte(cursor);
  if (mutability > 1) refuse(cursor, `mutability ${mutability}`, cursor.at - 1);
  return { type, mutable: mutability === 1 };
}

/** A constant expression: the few instructions that may stand in one (core spec, 3.3.10). */
export function skipConstant(cursor: Cursor): void {
  for (;;) {
    const op = byte(cursor);
    if (op === OP.end) return;
    if (op === OP.i32Const) skipSigned(cursor, 32);
    else if (op === OP.i64Const) skipSigned(cursor, 64);
    else if (op === 0x43) skip(cursor, 4);
    else if (op === 0x44) skip(cursor, 8);
    else if (op === OP.globalGet || op === 0xd2) u32(cursor);
    else if (op === 0xd0) skipSigned(cursor, 33);
    else if (op === OP.simd && u32(cursor) === 12) skip(cursor, 16);
    else if (!(op >= 0x6a && op <= 0x6c) && !(op >= 0x7c && op <= 0x7e)) {
      refuse(cursor, `opcode 0x${op.toString(16)} in a constant`, cursor.at - 1);
    }
  }
}

function tableDefinition(cursor: Cursor): void {
  const initialised = cursor.bytes[cursor.at] === 0x40;
  if (initialised) {
    skip(cursor, 1);
    if (byte(cursor) !== 0) refuse(cursor, "table form", cursor.at - 1);
  }
  tableType(cursor);
  if (initialised) skipConstant(cursor);
}

function globalDefinition(cursor: Cursor): Global {
  const global = globalType(cursor);
  skipConstant(cursor);
  return global;
}

function importKind(cursor: Cursor): number {
  name(cursor);
  name(cursor);
  const kind = byte(cursor);
  if (kind === 0) u32(cursor);
  else if (kind === 1) tableType(cursor);
  else if (kind === 2) limits(cursor);
  else if (kind === 3) globalType(cursor);
  else if (kind === 4) tagType(cursor);
  else refuse(cursor, `import kind ${kind}`, cursor.at - 1);
  return kind;
}

function tagType(cursor: Cursor): void {
  if (byte(cursor) !== 0) refuse(cursor, "tag attribute", cursor.at - 1);
  u32(cursor);
}

function exportName(cursor: Cursor): string {
  const found = name(cursor);
  take(cursor, 1);
  u32(cursor);
  return found;
}

/**
 * Reads what surrounds the code.
 * @throws BAD_MODULE for what is malformed, and for more than one memory, 64-bit memories and garbage-collected types
 */
export function readShape(sections: readonly Section[]): Shape {
  const find = (id: number): Section | undefined => sections.find((section) => section.id === id);
  const signatures = items(find(SECTION.type), signature);
  const kinds = items(find(SECTION.import), importKind);
  const count = (kind: number): number => kinds.reduce((sum, found) => sum + (found === kind ? 1 : 0), 0);
  const functionTypes = items(find(SECTION.function), u32);
  const tables = items(find(SECTION.table), tableDefinition).length;
  const memorySection = find(SECTION.memory);
  const [memory, ...further] = items(memorySection, limits);
  const importedMemories = count(2);
  if (memorySection !== undefined && importedMemories + further.length + (memory === undefined ? 0 : 1) > 1) {
    refuse(memorySection.body, "more than one memory is not supported");
  }
  const definedGlobals = items(find(SECTION.global), globalDefinition);
  return {
    signatures,
    types: signatures.length,
    importedFunctions: count(0),
    importedGlobals: count(3),
    importedMemories,
    functionTypes,
    functions: count(0) + functionTypes.length,
    tables: count(1) + tables,
    memories: importedMemories + (memory === undefined ? 0 : 1),
    globals: count(3) + definedGlobals.length,
    definedGlobals,
    ...(memory === undefined ? {} : { memory }),
    exportNames: new Set(items(find(SECTION.export), exportName)),
  };
}
