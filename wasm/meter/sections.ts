import { type Cursor, byte, name, refuse, take, u32 } from "./reader.ts";

/** Section ids (core spec, 5.5.2). */
export const SECTION = {
  custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8,
  element: 9, code: 10, data: 11, dataCount: 12, tag: 13,
} as const;

/** Non-custom sections in the order in which a module has to hold them. */
export const ORDER: readonly number[] = [
  SECTION.type, SECTION.import, SECTION.function, SECTION.table, SECTION.memory, SECTION.tag, SECTION.global,
  SECTION.export, SECTION.start, SECTION.element, SECTION.dataCount, SECTION.code, SECTION.data,
];

const PLACES = [
  "custom section", "type section", "import section", "function section", "table section", "memory section",
  "global section", "export section", "start section", "element section", "code section", "data section",
  "data count section", "tag section",
];

/** One section of a module; a custom one has its name, and its cursor is past it. */
export interface Section {
  readonly id: number;
  readonly body: Cursor;
  /** Offset of its content; that of `body.at` but for custom ones. */
  readonly start: number;
  readonly custom?: string;
}

/** A cursor to a section's first byte; each caller gets one of its own. */
export function open(section: Section): Cursor {
  return { ...section.body };
}

/**
 * The sections of a core module, as they stand.
 * @throws BAD_MODULE when it is no core module of version 1, cut short, or has sections twice or out of order
 */
export function readSections(bytes: Uint8Array): Section[] {
  const cursor: Cursor = { bytes, at: 0, end: bytes.length, place: "header" };
  for (const expected of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) {
    if (byte(cursor) !== expected) refuse(cursor, "not a core module of version 1", cursor.at - 1);
  }
  const sections: Section[] = [];
  let order = -1;
  while (cursor.at < cursor.end) {
    const at = cursor.at;
    const id = byte(cursor);
    const place = PLACES[id];
    if (place === undefined) refuse(cursor, `section ${id} is not supported`, at);
    const body = take(cursor, u32(cursor), place);
    const start = body.at;
    if (id === SECTION.custom) {
      sections.push({ id, body, start, custom: name(body) });
      continue;
    }
    if (ORDER.indexOf(id) <= order) refuse(cursor, `${place} twice or out of order`, at);
    order = ORDER.indexOf(id);
    sections.push({ id, body, start });
  }
  return sections;
}
