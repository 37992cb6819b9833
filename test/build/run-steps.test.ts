import assert from "node:assert/strict";
import { test } from "node:test";
import { withPredecessors } from "../../build/run-steps.ts";
import type { Step } from "../../build/step.ts";
import { STEPS } from "../../build/steps.ts";

function step(name: string, after: readonly string[]): Step {
  return { name, after, inputs: [], outputs: [], run() {} };
}

const CHAIN = [step("a", []), step("b", ["a"]), step("other", []), step("c", ["b"])];

test("a step brings all that it stands on, in order, and nothing else", () => {
  assert.deepEqual(withPredecessors(CHAIN, ["c"]).map(({ name }) => name), ["a", "b", "c"]);
});

test("a step that stands on nothing comes alone", () => {
  assert.deepEqual(withPredecessors(CHAIN, ["other"]).map(({ name }) => name), ["other"]);
});

test("each step of the build comes after those it stands on, and is made from its own source", () => {
  const seen = new Set<string>();
  for (const { name, after, inputs } of STEPS) {
    for (const before of after) assert.ok(seen.has(before), `${name} stands on ${before}, which comes later`);
    assert.ok(inputs.includes(`build/${name}.ts`), `${name} does not list its own source`);
    seen.add(name);
  }
});
