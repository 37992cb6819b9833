import { testOnDeno } from "./deno.ts";
import { holdLock } from "./hold-lock.ts";
import { runSteps, withPredecessors } from "./run-steps.ts";
import { start } from "./start.ts";
import { BuildError, tell } from "./step.ts";
import { STEPS } from "./steps.ts";

/** What can be done with what was built: the step it needs, and what it does with the arguments after its name. */
const USES = {
  start: { needs: "pack", use: start },
  deno: { needs: "pack", use: testOnDeno },
  readme: { needs: "bundle", use: async () => (await import("./readme.ts")).writeReadme() },
} as const;

const KNOWN = STEPS.map(({ name }) => name);

/**
 * `node build.mjs [step …]` makes those steps (all, when none is named) and what they stand on;
 * `node build.mjs start [argument …]` makes the binary and runs it; `node build.mjs deno` runs the
 * end-to-end tests on Deno; `node build.mjs readme` makes the tables of README.md. Resolves with the exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  const use = first === "start" || first === "deno" || first === "readme" ? USES[first] : undefined;
  const names = use === undefined ? args : [use.needs];
  const unknown = names.filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) {
    tell(`There is no step ${unknown.join(", ")}. The steps are: ${KNOWN.join(", ")}; or start, deno, or readme.`);
    return 2;
  }
  if (!(await make(names.length > 0 ? names : KNOWN))) return 1;
  return use?.use(rest) ?? 0;
}

async function make(names: readonly string[]): Promise<boolean> {
  try {
    using _lock = await holdLock();
    await runSteps(withPredecessors(STEPS, names));
    return true;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    tell(`build: ${error.message}`);
    return false;
  }
}
