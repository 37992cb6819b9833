import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./guest.ts";
import { interpret } from "./program.ts";
import { moduleOf, numbers, randomFunctions } from "./random-program.ts";

test("a thousand random programs charge what a walk of their tree counts, and compute the same", () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const next = numbers(seed);
    const functions = randomFunctions(next);
    const guest = start(moduleOf(functions));
    const { memory: exported } = guest.instance.exports;
    assert.ok(exported instanceof WebAssembly.Memory);
    const memory = new Uint8Array(exported.buffer);
    for (const state of [0, 1, 2, 3, 12_345, -1]) {
      const expected = interpret(functions, 0, state, new Uint8Array(65_536));
      memory.fill(0);
      const fuel = guest.fuelOf("f0", state);
      assert.ok(Buffer.from(memory.buffer).equals(expected.memory), `program ${seed}, state ${state}`);
      memory.fill(0);
      assert.deepEqual([guest.call("f0", state), fuel], [expected.state, expected.fuel], `program ${seed}, state ${state}`);
    }
  }
});
