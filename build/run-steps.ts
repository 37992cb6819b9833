import { hash } from "node:crypto";
import { hashPaths, sizesOf } from "./hash.ts";
import { readState, writeState } from "./state.ts";
import { type Step, tell } from "./step.ts";

/** The steps of those names and all that they stand on, in order. */
export function withPredecessors(steps: readonly Step[], names: readonly string[]): Step[] {
  const wanted = new Set(names);
  for (const step of [...steps].reverse()) if (wanted.has(step.name)) for (const name of step.after) wanted.add(name);
  return steps.filter((step) => wanted.has(step.name));
}

/** Runs the steps that are not up to date, and records each as it is done. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const state = readState();
  for (const step of steps) {
    const before = step.after.map((name) => state.get(name)?.outputs ?? "");
    const key = hash("sha256", [process.version, process.platform, process.arch, hashPaths(step.inputs), ...before].join("\n"));
    const made = state.get(step.name);
    if (made?.key === key && made.sizes === sizesOf(step.outputs)) continue;
    tell(`build: ${step.name} …`);
    const started = performance.now();
    state.delete(step.name);
    writeState(state);
    await step.run();
    state.set(step.name, { key, outputs: hashPaths(step.outputs), sizes: sizesOf(step.outputs) });
    writeState(state);
    tell(`build: ${step.name} done in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  }
}
