import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DIST } from "./paths.ts";

const FILE = join(DIST, ".state.json");

const madeSchema = z.object({
  /** Hash of all that the step was made from. */
  key: z.string(),
  /** Hash of what it made: what later steps are made from. */
  outputs: z.string(),
  /** Names and sizes of what it made. */
  sizes: z.string(),
});
const stateSchema = z.record(z.string(), madeSchema);
export type Made = z.infer<typeof madeSchema>;

/** What each step has made, by name; empty when there is no record that can be read. */
export function readState(): Map<string, Made> {
  if (!existsSync(FILE)) return new Map();
  try {
    return new Map(Object.entries(stateSchema.parse(JSON.parse(readFileSync(FILE, "utf8")))));
  } catch {
    return new Map();
  }
}

export function writeState(state: ReadonlyMap<string, Made>): void {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(state), null, 1)}\n`);
}
