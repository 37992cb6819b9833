import { byte, name, take, u32 } from "./reader.ts";
import { readSections, type Section } from "./sections.ts";

/** The part of the `name` section that names functions (core spec appendix, 7.4.1). */
const FUNCTION_NAMES = 1;

/** Function indices by name; the first of two of one name counts. A module without names has none. */
export function readNames(sections: readonly Section[]): Map<string, number> {
  const names = new Map<string, number>();
  const section = sections.find((candidate) => candidate.custom === "name");
  if (section === undefined) return names;
  const cursor = { ...section.body, place: "name section" };
  while (cursor.at < cursor.end) {
    const part = byte(cursor);
    const body = take(cursor, u32(cursor));
    if (part !== FUNCTION_NAMES) continue;
    for (let left = u32(body); left > 0; left--) {
      const index = u32(body);
      const text = name(body);
      if (!names.has(text)) names.set(text, index);
    }
  }
  return names;
}

/**
 * Function indices by the name that the module's `name` section gives them.
 * @throws BAD_MODULE when the module or the section is malformed
 */
export function functionNames(bytes: Uint8Array): Map<string, number> {
  return readNames(readSections(bytes));
}
