import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_DENO } from "../e2e/driver.ts";
import { soak } from "./run-soak.ts";

/** What half a minute takes on two calm cores; too few to judge the memory of the engine, which `npm run soak` does. */
const RUNS = 500;

test(`${RUNS} mixed runs, a third of them hostile, are all answered rightly and leave nothing behind`, { skip: process.platform !== "linux" || ON_DENO }, async () => {
  const { faults } = await soak(RUNS);
  assert.deepEqual(faults, []);
});
