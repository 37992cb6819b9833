import assert from "node:assert/strict";
import { test } from "node:test";
import { YIELD_EXPORT } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, I32, type Parts, s, VOID } from "./assembler.ts";
import { compile, type Guest, start } from "./guest.ts";

class Stop extends Error {}

/** A guest whose `f` runs with little fuel; its yields are counted, and the one of that number throws. */
function hostile(code: Bytes, more: Parts = {}, stopAt = 3): { guest: Guest; yields: () => number } {
  let yields = 0;
  const bytes = assemble({
    ...more,
    types: [[[I32], [I32]], [[], []], ...(more.types ?? [])],
    functions: [{ type: 0, code, name: "f" }, ...(more.functions ?? [])],
  });
  const guest: Guest = start(bytes, {
    onYield: () => {
      if (++yields === stopAt) throw new Stop();
      guest.setFuel(1_000);
    },
  });
  guest.setFuel(1_000);
  return { guest, yields: () => yields };
}

function stops(name: string, code: Bytes, more: Parts = {}): void {
  test(`${name} yields each time its fuel is used up, until the yield throws`, () => {
    const { guest, yields } = hostile(code, more);
    assert.throws(() => guest.call("f", 1), Stop);
    assert.equal(yields(), 3);
  });
}

const call = (index: number): Bytes => [OP.localGet, 0, OP.call, index];
const forEver = (inside: Bytes): Bytes => [OP.loop, VOID, ...inside, OP.br, 0, OP.end, OP.unreachable];
const INCREMENTED: Bytes = [OP.localGet, 0, OP.i32Const, 1, 0x6a];
const TAG: Parts = { tags: [1] };

stops("an empty endless loop", forEver([]));
stops("an endless loop in one arm of another", [
  OP.loop, VOID, OP.localGet, 0, OP.if, VOID, OP.br, 1, OP.else, OP.br, 1, OP.end, OP.end, OP.unreachable,
]);
stops("an endless loop by br_table", [OP.loop, VOID, OP.localGet, 0, OP.brTable, 1, 0, 0, OP.end, OP.unreachable]);
stops("an endless loop of calls that return at once", forEver([...call(1), OP.drop]), {
  functions: [{ type: 0, code: [OP.localGet, 0] }],
});
stops("an endless tail call", [OP.localGet, 0, OP.returnCall, 0]);
stops("an endless tail call by way of a table", [OP.localGet, 0, OP.i32Const, 0, OP.returnCallIndirect, 0, 0], {
  tables: [[0x70, 0, 1]],
  elements: [[0, OP.i32Const, 0, OP.end, 1, 0]],
});
stops("recursion that doubles at each level", [
  OP.localGet, 0, OP.i32Const, 30, 0x4a, OP.if, I32, OP.i32Const, 0, OP.else,
  ...INCREMENTED, OP.call, 0, OP.drop, ...INCREMENTED, OP.call, 0, OP.end,
]);
stops("an endless loop that throws and catches", forEver([
  OP.block, VOID, OP.tryTable, VOID, 1, 2, 0, OP.throw, 0, OP.end, OP.end,
]), TAG);
stops("an endless loop whose callee throws", forEver([
  OP.block, VOID, OP.tryTable, VOID, 1, 2, 0, ...call(1), OP.drop, OP.end, OP.end,
]), { ...TAG, functions: [{ type: 0, code: [OP.throw, 0] }] });
stops("an endless loop by the label of a catch", [
  OP.loop, VOID, OP.tryTable, VOID, 1, 2, 0, OP.throw, 0, OP.end, OP.end, OP.unreachable,
], TAG);
stops("an endless loop of legacy catches", forEver([OP.try, VOID, OP.throw, 0, OP.catchAll, OP.end]), TAG);
stops("an endless loop of bulk copies", forEver([OP.i32Const, 0, OP.i32Const, 0, OP.i32Const, 1, OP.misc, 10, 0, 0]), {
  memories: [[0, 1]],
});

stops("a tower of functions, each calling the next twice,", [OP.localGet, 0, OP.call, 1], {
  functions: Array.from({ length: 40 }, (_, index) => ({
    type: 0,
    code: index === 39 ? [OP.localGet, 0] : [OP.localGet, 0, OP.call, index + 2, OP.drop, OP.localGet, 0, OP.call, index + 2],
  })),
});
stops("endless recursion of functions that nothing else names", [OP.localGet, 0, OP.call, 1], {
  functions: [
    { type: 0, code: [OP.localGet, 0, OP.returnCall, 2] },
    { type: 0, code: [OP.localGet, 0, OP.returnCall, 1] },
  ],
});

test("a bulk operation longer than the fuel yields before it begins", () => {
  const code = [OP.i32Const, 0, OP.i32Const, 7, OP.localGet, 0, OP.misc, 11, 0, OP.localGet, 0];
  const { guest } = hostile(code, { memories: [[0, 1]], exports: [[1, 0x6d, 2, 0]] }, 1);
  assert.throws(() => guest.call("f", 60_000), Stop);
  const { m } = guest.instance.exports;
  assert.ok(m instanceof WebAssembly.Memory);
  assert.equal(new Uint8Array(m.buffer)[0], 0);
  guest.setFuel(100_000);
  guest.call("f", 60_000);
  assert.equal(new Uint8Array(m.buffer)[0], 7);
});

const ENDLESS_IN_CATCH_ALL: Bytes = [
  OP.block, VOID, OP.tryTable, VOID, 1, 2, 0, OP.loop, VOID, OP.br, 0, OP.end, OP.end, OP.end, OP.i32Const, 42,
];

test("a throw from the yield unwinds past handlers of tags, and leaves the instance in use", () => {
  const code = [
    OP.localGet, 0, OP.if, VOID,
    OP.block, VOID, OP.tryTable, VOID, 1, 0, 0, 0, OP.loop, VOID, OP.br, 0, OP.end, OP.end, OP.end, OP.end, OP.i32Const, 9,
  ];
  const { guest } = hostile(code, TAG, 1);
  assert.throws(() => guest.call("f", 1), Stop);
  guest.setFuel(10);
  assert.equal(guest.call("f", 0), 9);
});

test("a throw from the yield can be caught by a handler of everything, a trap in it can't", () => {
  const { guest } = hostile(ENDLESS_IN_CATCH_ALL, {}, 1);
  assert.equal(guest.call("f", 1), 42);
  const trapping = assemble({ types: [[[], []]], functions: [{ type: 0, code: [OP.unreachable], name: "f" }] });
  const { exports } = new WebAssembly.Instance(compile(trapping));
  const stopped = hostile(ENDLESS_IN_CATCH_ALL).guest;
  const slot = stopped.instance.exports[YIELD_EXPORT];
  assert.ok(slot instanceof WebAssembly.Table);
  slot.set(0, exports.f);
  assert.throws(() => stopped.call("f", 1), WebAssembly.RuntimeError);
});

test("fuel that a yield gives is all used before the next", () => {
  let yields = 0;
  const bytes = assemble({
    types: [[[I32], [I32]]],
    functions: [{
      type: 0,
      name: "f",
      code: [OP.loop, VOID, OP.localGet, 0, OP.i32Const, 1, 0x6b, OP.localTee, 0, OP.brIf, 0, OP.end, OP.localGet, 0],
    }],
  });
  let given = 100;
  const guest: Guest = start(bytes, {
    onYield: () => {
      yields++;
      given += 100;
      guest.setFuel(guest.fuel() + 100);
    },
  });
  guest.setFuel(given);
  assert.equal(guest.call("f", 1_000), 0);
  assert.equal(given - guest.fuel(), 1 + 5 * 1_000 + 1);
  assert.equal(yields, 50);
});

test("a yield keeps locals, stack and memory as they were", () => {
  const code = [
    OP.i32Const, ...s(1_000), OP.loop, 2, OP.i32Const, 1, 0x6a,
    OP.localGet, 0, OP.i32Const, 1, 0x6b, OP.localTee, 0, OP.brIf, 0, OP.end,
  ];
  const { guest, yields } = hostile(code, { types: [[[I32], [I32]]] }, -1);
  assert.equal(guest.call("f", 5_000), 6_000);
  assert.ok(yields() > 20);
});
