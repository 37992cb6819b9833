import assert from "node:assert/strict";
import { test } from "node:test";
import { readProfile } from "./stages.ts";

test("a profile is read call by call, its stages in their order and the whole after them", () => {
  const told = `something else
belljar: call 1 took 1.75 ms: reading 0.25, to the engine 0.50, the turn 1.00
belljar: call 12 took 4.00 ms: reading 4.00
belljar: call 13 took 5.00 ms: read`;
  assert.deepEqual(
    readProfile(told).map((call) => Array.from(call)),
    [
      [["reading", 0.25], ["to the engine", 0.5], ["the turn", 1], ["the whole in the server", 1.75]],
      [["reading", 4], ["the whole in the server", 4]],
    ],
  );
});
