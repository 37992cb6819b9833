import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Language } from "../src/policy/limits.ts";
import { BuildError } from "./step.ts";

const RUN = join(import.meta.dirname, "touched-run.ts");
const LINE = /^Compiled function (0x[\da-f]+)#(\d+) using Liftoff/gm;
/** V8 says what it compiles, which is what is called; nothing twice. */
const FLAGS = ["--trace-wasm-compilation-times", "--no-wasm-tier-up"];
const MOST_OUTPUT = 64 * 1_048_576;

/**
 * The functions that everyday turns call of a language's largest module, by index, which is that of the file when one is
 * given. @throws BuildError when V8 tells of none.
 */
export function touchedFunctions(language: Language, file = ""): number[] {
  const told = execFileSync(process.execPath, [...FLAGS, RUN, language, file], { encoding: "utf8", maxBuffer: MOST_OUTPUT, stdio: ["ignore", "pipe", "inherit"] });
  const byModule = new Map<string, Set<number>>();
  for (const [, module = "", index] of told.matchAll(LINE)) {
    const indices = byModule.get(module) ?? new Set();
    byModule.set(module, indices.add(Number(index)));
  }
  const [largest] = [...byModule.values()].toSorted((one, other) => other.size - one.size);
  if (largest === undefined) throw new BuildError(`V8 told of no function that ${language} calls.`);
  return [...largest];
}
