import { holdLock } from "./hold-lock.ts";
import { runSteps, withPredecessors } from "./run-steps.ts";
import { start } from "./start.ts";
import { BuildError, tell } from "./step.ts";
import { STEPS } from "./steps.ts";

/**
 * `node build.mjs [step …]` makes those steps (all, when none is named) and what they stand on;
 * `node build.mjs start [argument …]` makes the binary and runs it. Resolves with the exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  const names = first === "start" ? ["pack"] : args;
  const known = STEPS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    tell(`There is no step ${unknown.join(", ")}. The steps are: ${known.join(", ")}; or start.`);
    return 2;
  }
  try {
    using _lock = await holdLock();
    await runSteps(withPredecessors(STEPS, names.length > 0 ? names : known));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    tell(`build: ${error.message}`);
    return 1;
  }
  return first === "start" ? start(rest) : 0;
}
