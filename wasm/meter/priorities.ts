import { readSections, SECTION } from "./sections.ts";
import { newWriter, putBytes, putName, putU32 } from "./writer.ts";

const PRIORITY_SECTION = "metadata.code.compilation_priority";
/** Of the function as a whole, in one byte: before all others. */
const ENTRY = [0, 1, 0] as const;

/**
 * A module that says which of its functions are to be compiled along with it, and not by their first call; it changes
 * nothing of what they do (compilation hints proposal, `metadata.code.compilation_priority`).
 * @param functions indices, imported functions counted; none of those
 * @throws BAD_MODULE when it is no module
 */
export function prioritize(module: Uint8Array, functions: readonly number[]): Uint8Array {
  const content = newWriter(functions.length * 6 + 64);
  putName(content, PRIORITY_SECTION);
  putU32(content, functions.length);
  for (const index of functions.toSorted((one, other) => one - other)) for (const value of [index, ...ENTRY]) putU32(content, value);
  const sections = readSections(module);
  const code = sections.findIndex(({ id }) => id === SECTION.code);
  const at = sections[code - 1]?.body.end ?? 8;
  const out = newWriter(module.length + content.length + 8);
  putBytes(out, module, 0, at);
  putU32(out, SECTION.custom);
  putU32(out, content.length);
  putBytes(out, content.bytes, 0, content.length);
  putBytes(out, module, at, module.length);
  return out.bytes.subarray(0, out.length);
}
