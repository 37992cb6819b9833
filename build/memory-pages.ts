import { u32 } from "../wasm/meter/reader.ts";
import { open, readSections, SECTION } from "../wasm/meter/sections.ts";
import { BuildError } from "./step.ts";

/**
 * Least size of the one memory that a core module defines, in pages of 64 KiB (core spec, 5.5.8).
 * @throws BuildError when it defines none.
 */
export function memoryPages(module: Uint8Array): number {
  const section = readSections(module).find(({ id }) => id === SECTION.memory);
  const cursor = section && open(section);
  if (cursor === undefined || u32(cursor) === 0) throw new BuildError("The module defines no memory.");
  u32(cursor); // flags: whether a maximum follows
  return u32(cursor);
}
