import assert from "node:assert/strict";
import { test } from "node:test";
import { BULK, OP } from "../../../wasm/meter/opcodes.ts";
import { STEP_BYTES } from "../../../wasm/meter/steppers.ts";
import { assemble, type Bytes, exportOf, I32, s } from "./assembler.ts";
import { compile, type Guest, start } from "./guest.ts";

const PAGE = 65_536;
const PAGES = 64;
const SIZE = PAGES * PAGE;
const arguments3: Bytes = [OP.localGet, 0, OP.localGet, 1, OP.localGet, 2];

const BYTES = assemble({
  types: [[[I32, I32, I32], []], [[I32], [I32]]],
  memories: [[1, PAGES, PAGES + 16]],
  functions: [
    { type: 0, name: "fill", code: [...arguments3, OP.misc, BULK.memoryFill, 0] },
    { type: 0, name: "copy", code: [...arguments3, OP.misc, BULK.memoryCopy, 0, 0] },
    { type: 1, name: "grow", code: [OP.localGet, 0, 0x40, 0] },
    { type: 0, name: "fixed", code: [OP.localGet, 0, OP.localGet, 1, OP.i32Const, ...s(4_096), OP.misc, BULK.memoryFill, 0] },
    { type: 0, name: "beyond", code: [OP.localGet, 0, OP.localGet, 1, OP.i32Const, ...s(4_097), OP.misc, BULK.memoryFill, 0] },
    { type: 0, name: "negative", code: [OP.localGet, 0, OP.localGet, 1, OP.i32Const, ...s(-1), OP.misc, BULK.memoryFill, 0] },
  ],
  exports: [exportOf("memory", 2, 0)],
});

function memoryOf(instance: WebAssembly.Instance): Uint8Array {
  const { memory } = instance.exports;
  assert.ok(memory instanceof WebAssembly.Memory);
  return new Uint8Array(memory.buffer);
}

/** What repeats nowhere near: each byte tells its place. */
function paint(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at ^ (at >>> 8) ^ (at >>> 16)) & 0xff;
}

/** A guest whose yields are counted, each giving so much fuel. */
function withSlices(slice: number): { guest: Guest; yields: () => number } {
  let yields = 0;
  const guest: Guest = start(BYTES, {
    onYield: () => {
      yields += 1;
      while (guest.fuel() < 0) guest.setFuel(guest.fuel() + slice);
    },
  });
  guest.setFuel(slice);
  return { guest, yields: () => yields };
}

const STEP = STEP_BYTES;
const LENGTHS = [0, 1, 4_096, STEP - 1, STEP, STEP + 1, 2 * STEP, 2 * STEP + 1, 3 * STEP - 5];
const COPIES: readonly (readonly [title: string, to: number, from: number])[] = [
  ["onto itself", 100, 100],
  ["one byte up", 101, 100],
  ["one byte down", 100, 101],
  ["up by less than a step", 70_000, 10],
  ["down by less than a step", 10, 70_000],
  ["up by a step", STEP, 0],
  ["down by a step", 0, STEP],
  ["up by a step and one", STEP + 1, 0],
  ["down by a step and one", 0, STEP + 1],
];

for (const [title, to, from] of COPIES) {
  test(`a copy ${title} moves what a copy in one piece moves`, () => {
    const { guest } = withSlices(STEP);
    const expected = new Uint8Array(SIZE);
    for (const length of LENGTHS) {
      const memory = memoryOf(guest.instance);
      paint(memory);
      paint(expected);
      expected.copyWithin(to, from, from + length);
      guest.call("copy", to, from, length);
      assert.ok(Buffer.from(memory.buffer).equals(expected), `${length} bytes`);
    }
  });
}

test("a fill writes what it should and nothing beside", () => {
  const { guest } = withSlices(STEP);
  for (const length of LENGTHS) {
    const memory = memoryOf(guest.instance);
    paint(memory);
    const expected = memory.slice().fill(0xaa, 77, 77 + length);
    guest.call("fill", 77, 0x1aa, length);
    assert.ok(Buffer.from(memory.buffer).equals(expected), `${length} bytes`);
  }
});

test("what reaches exactly to the end of memory is done, from its first byte as well", () => {
  const { guest } = withSlices(STEP);
  for (const length of [0, 1, STEP, STEP + 1, SIZE]) {
    guest.call("fill", SIZE - length, 7, length);
    guest.call("copy", SIZE - length, 0, length);
    guest.call("copy", 0, SIZE - length, length);
  }
  assert.ok(memoryOf(guest.instance).every((byte) => byte === 7));
});

test("one byte past the end traps as ever, and nothing is written", () => {
  const { guest } = withSlices(STEP);
  const plain = new WebAssembly.Instance(compile(BYTES));
  const outside: [name: string, ...args: number[]][] = [];
  for (const length of [0, 1, STEP, STEP + 1, 3 * STEP, SIZE]) {
    outside.push(["fill", SIZE - length + 1, 7, length], ["copy", SIZE - length + 1, 0, length], ["copy", 0, SIZE - length + 1, length]);
  }
  outside.push(["fill", -1, 7, 2 * STEP], ["copy", -1, 0, 2 * STEP], ["copy", 0, -1, 2 * STEP], ["fill", 1, 7, -1], ["fill", 0, 7, -1], ["negative", 0, 7, 0]);
  for (const [name, ...args] of outside) {
    const unmetered = plain.exports[name];
    assert.ok(typeof unmetered === "function");
    let message = "";
    assert.throws(() => unmetered(...args), (error) => error instanceof WebAssembly.RuntimeError && (message = error.message) !== "");
    const memory = memoryOf(guest.instance);
    memory.fill(1);
    assert.throws(() => guest.call(name, ...args), { name: "RuntimeError", message }, `${name}(${args.join(", ")})`);
    assert.ok(memory.every((byte) => byte === 1), `${name}(${args.join(", ")})`);
  }
});

test("memory that was grown can be filled and copied to its new end", () => {
  const { guest } = withSlices(STEP);
  assert.throws(() => guest.call("fill", SIZE, 7, 2 * STEP), WebAssembly.RuntimeError);
  assert.equal(guest.call("grow", 40), -1);
  assert.equal(guest.call("grow", 16), PAGES);
  assert.throws(() => guest.call("fill", SIZE, 7, STEP + 1), WebAssembly.RuntimeError);
  guest.call("fill", SIZE - 2 * STEP, 7, 2 * STEP + 16 * PAGE);
  guest.call("copy", 0, SIZE - 2 * STEP, 2 * STEP + 16 * PAGE);
  const memory = memoryOf(guest.instance);
  assert.deepEqual([memory[0], memory[2 * STEP + 16 * PAGE - 1], memory[SIZE + 16 * PAGE - 1]], [7, 7, 7]);
});

test("each byte costs one, in whichever steps it is done", () => {
  for (const slice of [1, 1_000, STEP, 1_000_000_000]) {
    for (const length of LENGTHS) {
      for (const name of ["fill", "copy"]) {
        const { guest } = withSlices(slice);
        let given = 1_000_000_000;
        guest.setFuel(given);
        guest.call(name, 0, 5, length);
        given -= guest.fuel();
        assert.equal(given, 1 + 4 + length, `${name} of ${length}`);
      }
    }
  }
});

test("a length that stands in the code costs as much as one that is passed", () => {
  const { guest } = withSlices(STEP);
  assert.equal(guest.fuelOf("fixed", 0, 0, 0), 1 + 4 + 4_096);
  assert.equal(guest.fuelOf("beyond", 0, 0, 0), 1 + 4 + 4_097);
});

test("a long operation yields at each step, and can be ended between two", () => {
  const { guest, yields } = withSlices(STEP);
  guest.setFuel(0);
  guest.call("fill", 0, 7, 3 * STEP + 1);
  assert.equal(yields(), 3);
  class Stop extends Error {}
  let left = 3;
  const ended = start(BYTES, {
    onYield: () => {
      if (--left === 0) throw new Stop();
      ended.setFuel(0);
    },
  });
  ended.setFuel(5);
  assert.throws(() => ended.call("fill", 0, 7, 3 * STEP), Stop);
  assert.deepEqual([STEP * 2 - 1, STEP * 2].map((at) => memoryOf(ended.instance)[at]), [7, 0]);
});
