import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { COMMAND } from "../e2e/driver.ts";

const rowSchema = z.object({
  what: z.string(),
  who: z.string().exactOptional(),
  unit: z.enum(["ms", "MB", "a second", "times"]),
  // JSON has no word for a number that could not be measured.
  values: z.array(z.number().nullable().transform((value) => value ?? NaN)).readonly(),
  aim: z.object({ words: z.string(), figure: z.string().exactOptional(), reached: z.boolean().nullable() }).exactOptional(),
});

const measuredSchema = z.object({
  setting: z.string(),
  /** What else kept the machine busy just before, as its load average over a minute. */
  load: z.number(),
  rows: z.array(rowSchema).readonly(),
});

/** A chapter's rows, and where they were measured of what. */
export type Measured = z.infer<typeof measuredSchema>;

/** Chapters that were measured, each in a file, so that a page can be made of several runs of one and the same binary. */
export interface Shelf {
  readonly put: (chapter: string, measured: Measured) => void;
  /** Undefined when it was not measured, or of another binary. */
  readonly get: (chapter: string) => Measured | undefined;
}

/** What tells one build of the command from another. */
export function identity(): string {
  const hash = createHash("sha256");
  for (const word of COMMAND) hash.update(existsSync(word) ? readFileSync(word) : word);
  return hash.digest("hex").slice(0, 16);
}

export function openShelf(folder: string, binary: string): Shelf {
  const path = (chapter: string): string => join(folder, binary, `${chapter}.json`);
  return {
    put: (chapter, measured) => {
      mkdirSync(join(folder, binary), { recursive: true });
      writeFileSync(path(chapter), JSON.stringify(measured));
    },
    get: (chapter) => (existsSync(path(chapter)) ? measuredSchema.parse(JSON.parse(readFileSync(path(chapter), "utf8"))) : undefined),
  };
}
