import assert from "node:assert/strict";
import { test } from "node:test";
import { meter } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, I32, type Parts, VOID } from "./assembler.ts";
import { start } from "./guest.ts";

const SUB = 0x6b;
/** Turns `argument` times, with a branch each time. */
const LOOP: Bytes = [
  OP.loop, VOID, OP.localGet, 0, OP.i32Const, 1, 0x71, OP.if, VOID, OP.nop, OP.i32Const, 0, OP.drop, OP.end,
  OP.localGet, 0, OP.i32Const, 1, SUB, OP.localTee, 0, OP.brIf, 0, OP.end,
];
/** Of `LOOP` with its argument: nine each time, and one more where the argument is odd. */
const loopFuel = (argument: number): number => argument * 9 + Math.ceil(argument / 2);

function moduleOf(code: Bytes, more: Parts = {}): Uint8Array {
  return assemble({
    types: [[[I32], [I32]], [[], []], [[I32], [I32, I32]]],
    ...more,
    functions: [{ type: 0, code, name: "f" }, ...(more.functions ?? [])],
  });
}

/** How often the code writes the counter, which is the one global of the module. */
function writes(bytes: Uint8Array): number {
  const { bytes: metered } = meter(bytes);
  let count = 0;
  for (let at = 0; at + 1 < metered.length; at += 1) if (metered[at] === OP.globalSet && metered[at + 1] === 0) count += 1;
  return count;
}

test("a function that loops writes the global only where it yields and where it ends", () => {
  assert.equal(writes(moduleOf([...LOOP, OP.localGet, 0])), 3, "at its entry's test, at the loop's, at its end");
});

test("each way out hands on what was counted: the end, a return, a branch, a tail call, a throw", () => {
  const loop = loopFuel(5);
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0])).fuelOf("f", 5), 1 + loop + 1);
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0, OP.return, OP.unreachable])).fuelOf("f", 5), 1 + loop + 1);
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0, OP.br, 0])).fuelOf("f", 5), 1 + loop + 2);
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0, OP.i32Const, 1, OP.brIf, 0])).fuelOf("f", 5), 1 + loop + 3);
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0, OP.i32Const, 0, OP.brTable, 1, 0, 0])).fuelOf("f", 5), 1 + loop + 3);
  const callee = { type: 0, code: [OP.localGet, 0] };
  assert.equal(start(moduleOf([...LOOP, OP.localGet, 0, OP.returnCall, 1], { functions: [callee] })).fuelOf("f", 5), 1 + loop + 2 + 2);
  const caught = [OP.block, I32, OP.tryTable, VOID, 1, 0, 0, 0, OP.localGet, 0, OP.call, 1, OP.drop, OP.end, OP.unreachable, OP.end];
  const thrower = { type: 0, code: [...LOOP, OP.localGet, 0, OP.throw, 0] };
  const types: Parts["types"] = [[[I32], [I32]], [[I32], []]];
  assert.equal(start(assemble({ types, tags: [1], functions: [{ type: 0, code: caught, name: "f" }, thrower] })).fuelOf("f", 5), 1 + 3 + 1 + loop + 2);
});

test("a call within a loop counts on from where its caller is, and its caller from where it ended", () => {
  const callee = { type: 0, code: [...LOOP, OP.localGet, 0] };
  const code = [...LOOP, OP.i32Const, 7, OP.call, 1, OP.drop, OP.i32Const, 3, OP.localSet, 0, ...LOOP, OP.localGet, 0];
  assert.equal(start(moduleOf(code, { functions: [callee] })).fuelOf("f", 5), 1 + loopFuel(5) + 2 + (1 + loopFuel(7) + 1) + 2 + loopFuel(3) + 1);
});

test("a function of several results loops and counts too", () => {
  const pair = { type: 2, code: [...LOOP, OP.localGet, 0, OP.localGet, 0] };
  assert.equal(start(moduleOf([OP.localGet, 0, OP.call, 1, OP.drop], { functions: [pair] })).fuelOf("f", 5), 3 + 1 + loopFuel(5) + 2);
});

test("what the host gives at a yield counts at once, and all of it is used before the next", () => {
  let given = 50;
  let yields = 0;
  const guest = start(moduleOf([...LOOP, OP.localGet, 0]), {
    onYield: () => {
      yields += 1;
      given += 50;
      guest.setFuel(guest.fuel() + 50);
    },
  });
  guest.setFuel(given);
  guest.call("f", 1_001);
  assert.equal(given - guest.fuel(), 1 + loopFuel(1_001) + 1);
  assert.equal(yields, Math.ceil((1 + loopFuel(1_001)) / 50) - 1);
});
