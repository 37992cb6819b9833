import { MEMORY_IMPORT, RECORD_IMPORT, START_FUEL } from "./contract.ts";
import * as entry from "./entry.ts";
import { OP } from "./opcodes.ts";
import { u32 } from "./reader.ts";
import { RECORD_LIMITS } from "./record.ts";
import { open, ORDER, SECTION, type Section } from "./sections.ts";
import type { Shape } from "./shape.ts";
import { ADDED_TYPES } from "./steppers.ts";
import { newWriter, put, putBytes, putAll, putName, putSigned, putU32, type Writer } from "./writer.ts";

export interface Addition {
  readonly fuel: boolean;
  readonly record: boolean;
  readonly importRecord: boolean;
  readonly twins: boolean;
  readonly exports: readonly { readonly name: string; readonly kind: number; readonly index: number }[];
  /** The new content of the code section; undefined leaves it. */
  readonly code: Uint8Array | undefined;
  /** The content of the branch hints section for that code. */
  readonly hints: Uint8Array | undefined;
  /** The types of the functions that were appended to that code. */
  readonly appended: readonly number[];
  readonly importMemory: boolean;
  readonly dropData: boolean;
  readonly stripCustom: boolean;
}

const HINT_SECTION = "metadata.code.branch_hint";

type Content = (out: Writer) => void;

/** The section's items with more behind them. */
function extended(section: Section | undefined, more: number, write: Content): Content {
  return (out) => {
    const cursor = section === undefined ? undefined : open(section);
    putU32(out, (cursor === undefined ? 0 : u32(cursor)) + more);
    if (cursor !== undefined) putBytes(out, cursor.bytes, cursor.at, cursor.end);
    write(out);
  };
}

function all(...values: readonly number[]): Content {
  return (out) => putAll(out, values);
}

/** The type section with that of a yield, and with those of the functions that were appended, if any. */
function withTypes(section: Section | undefined, appended: readonly number[]): Content {
  const added = appended.length > 0 ? ADDED_TYPES : [];
  return extended(section, 1 + added.length, all(0x60, 0, 0, ...added.flat()));
}

function appendedTypes(appended: readonly number[]): Content {
  return (out) => {
    for (const type of appended) putU32(out, type);
  };
}

/** The counter, and with twins what tells which of them run. */
function addedGlobals(twins: boolean): Content {
  return (out) => {
    putAll(out, [0x7e, 1, OP.i64Const]);
    putSigned(out, START_FUEL);
    put(out, OP.end);
    if (twins) putAll(out, [0x7f, 1, OP.i32Const, 0, OP.end]);
  };
}

function importedRecord(out: Writer): void {
  putName(out, RECORD_IMPORT.module);
  putName(out, RECORD_IMPORT.name);
  putAll(out, [2, ...RECORD_LIMITS]);
}

function importedMemory(shape: Shape): Content {
  return (out) => {
    putName(out, MEMORY_IMPORT.module);
    putName(out, MEMORY_IMPORT.name);
    const shared = shape.memory?.shared ?? false;
    putAll(out, [2, shared ? 3 : 0]);
    putU32(out, shape.memory?.minimum ?? 0);
    // Only a shared memory has to declare a maximum; any other takes the one the host made it with.
    if (shared) putU32(out, shape.memory?.maximum ?? 65_536);
  };
}

function exported(exports: Addition["exports"]): Content {
  return (out) => {
    for (const { name, kind, index } of exports) {
      putName(out, name);
      put(out, kind);
      putU32(out, index);
    }
  };
}

/** Active segments shrink to nothing at 0 rather than go, so that no data index shifts. */
function emptied(section: Section, shape: Shape): Content {
  return (out) => {
    const cursor = open(section);
    const count = u32(cursor);
    putU32(out, count);
    for (let left = count; left > 0; left--) {
      const start = cursor.at;
      if (entry.data(cursor, shape)) putAll(out, [0, 0x41, 0, 0x0b, 0]);
      else putBytes(out, cursor.bytes, start, cursor.at);
    }
  };
}

function replaced(id: number, section: Section | undefined, shape: Shape, add: Addition): Content | "gone" | "same" {
  const { code, exports } = add;
  if (id === SECTION.type && add.fuel) return withTypes(section, add.appended);
  if (id === SECTION.function && add.appended.length > 0) return extended(section, add.appended.length, appendedTypes(add.appended));
  if (id === SECTION.import && add.importRecord) return extended(section, 1, importedRecord);
  if (id === SECTION.import && add.importMemory) return extended(section, 1, importedMemory(shape));
  if (id === SECTION.table && add.fuel) return extended(section, 1, all(0x70, 1, 1, 1));
  if (id === SECTION.memory && add.record && !add.importRecord) return extended(add.importMemory ? undefined : section, 1, all(...RECORD_LIMITS));
  if (id === SECTION.memory && add.importMemory) return "gone";
  if (id === SECTION.global && add.fuel) return extended(section, add.twins ? 2 : 1, addedGlobals(add.twins));
  if (id === SECTION.export && exports.length > 0) return extended(section, exports.length, exported(exports));
  if (id === SECTION.code && code !== undefined) return (out) => putBytes(out, code, 0, code.length);
  if (id === SECTION.data && add.dropData && section !== undefined) return emptied(section, shape);
  return "same";
}

function putSection(out: Writer, id: number, content: Content): void {
  const body = newWriter(256);
  content(body);
  put(out, id);
  putU32(out, body.length);
  putBytes(out, body.bytes, 0, body.length);
}

/** Branch hints stand before the code that they are about. */
function putHintSection(out: Writer, hints: Uint8Array | undefined): void {
  if (hints === undefined) return;
  putSection(out, SECTION.custom, (body) => {
    putName(body, HINT_SECTION);
    putBytes(body, hints, 0, hints.length);
  });
}

/** Writes the module anew: what is added goes behind what is there, so that no index shifts. */
export function rewriteSections(bytes: Uint8Array, sections: readonly Section[], shape: Shape, add: Addition): Uint8Array {
  const out = newWriter(bytes.length + (add.code?.length ?? 0) + 4_096);
  putBytes(out, bytes, 0, 8);
  const waiting = [...ORDER];
  const writeUpTo = (section: Section | undefined): void => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const own = section?.id === id ? section : undefined;
      const content = replaced(id, own, shape, add);
      if (id === SECTION.code) putHintSection(out, add.hints);
      if (typeof content === "function") putSection(out, id, content);
      else if (content === "same" && own !== undefined) copySection(out, own);
      if (own !== undefined) return;
    }
  };
  for (const section of sections) {
    if (section.id !== SECTION.custom) writeUpTo(section);
    else if (section.custom === HINT_SECTION && add.hints !== undefined) continue;
    else if (!add.stripCustom) copySection(out, section);
  }
  writeUpTo(undefined);
  return out.bytes.slice(0, out.length);
}

function copySection(out: Writer, section: Section): void {
  put(out, section.id);
  putU32(out, section.body.end - section.start);
  putBytes(out, section.body.bytes, section.start, section.body.end);
}
