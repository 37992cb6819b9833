import assert from "node:assert/strict";
import { test } from "node:test";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, exportOf, I32 } from "./assembler.ts";
import { start } from "./guest.ts";
import { encode, interpret, STATE, type Step } from "./program.ts";
import { MAX_LOOPS, numbers, randomSteps } from "./random-program.ts";

test("a thousand random programs charge what a walk of their tree counts, and compute the same", () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const next = numbers(seed);
    // The outermost steps stand in a block, whose label takes the branches that lead furthest out.
    const functions = [0, 1, 2].map((own): Step[] => [{ kind: "block", body: randomSteps(next, { depth: 4, labels: 1, loops: 0, own }) }]);
    const guest = start(assemble({
      types: [[[I32], [I32]]],
      memories: [[0, 1]],
      exports: [exportOf("memory", 2, 0)],
      functions: functions.map((steps, index) => ({
        type: 0,
        // The others are called by name alone, so f0 pays for their entries.
        ...(index === 0 ? { name: "f0" } : {}),
        locals: Array.from({ length: MAX_LOOPS }, () => I32),
        code: encode(steps).concat([OP.localGet, STATE]),
      })),
    }));
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
