import assert from "node:assert/strict";
import { test } from "node:test";
import { FUEL_EXPORT, meter, START_FUEL } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, I32, I64, type Parts, s, u, V128, VOID } from "./assembler.ts";
import { compile, start } from "./guest.ts";

const ZERO = [OP.i32Const, 0];
const ADD = 0x6a;
const SUB = 0x6b;
const LT_S = 0x48;

/** A module whose `f` takes one i32 and returns one, with one i32 local. */
function withCode(code: Bytes, more: Parts = {}): Uint8Array {
  return assemble({
    ...more,
    types: [[[I32], [I32]], ...(more.types ?? [])],
    functions: [{ type: 0, locals: [I32], code, name: "f" }, ...(more.functions ?? [])],
  });
}

/** Each row is a call of `f` with its argument, what it returns, and the fuel it costs: one for the entry besides. */
function check(bytes: Uint8Array, rows: readonly (readonly [argument: number, result: number, fuel: number])[]): void {
  const guest = start(bytes);
  for (const [argument, result, fuel] of rows) {
    assert.equal(guest.call("f", argument), result, `f(${argument})`);
    assert.equal(guest.fuelOf("f", argument), fuel, `fuel of f(${argument})`);
  }
}

test("straight code costs one for each instruction and one for the call", () => {
  check(withCode([OP.localGet, 0, OP.i32Const, 5, ADD]), [[1, 6, 4]]);
});

test("nop, drop, block, end, return and unreachable cost nothing", () => {
  const code = [OP.nop, OP.block, VOID, OP.nop, OP.end, OP.localGet, 0, OP.drop, OP.localGet, 0, OP.return, OP.unreachable];
  check(withCode(code), [[7, 7, 3]]);
});

test("a branch out of a block costs what ran and not what was jumped over", () => {
  const code = [
    OP.block, VOID, OP.localGet, 0, OP.brIf, 0, ...ZERO, OP.drop, ...ZERO, OP.drop, OP.end,
    OP.localGet, 0,
  ];
  check(withCode(code), [[1, 1, 4], [0, 0, 6]]);
});

test("a loop costs its body at each turn", () => {
  const code = [
    OP.loop, VOID, OP.localGet, 1, OP.localGet, 0, ADD, OP.localSet, 1,
    OP.localGet, 0, OP.i32Const, 1, SUB, OP.localTee, 0, OP.brIf, 0, OP.end, OP.localGet, 1,
  ];
  check(withCode(code), [[1, 1, 11], [10, 55, 92]]);
});

test("each arm of an if costs its own, and a missing arm nothing", () => {
  const both = [OP.localGet, 0, OP.if, I32, ...ZERO, OP.else, ...ZERO, ...ZERO, ADD, OP.end];
  check(withCode(both), [[1, 0, 4], [0, 0, 6]]);
  const one = [OP.localGet, 0, OP.if, VOID, ...ZERO, OP.drop, OP.end, OP.localGet, 0];
  check(withCode(one), [[1, 1, 5], [0, 0, 4]]);
});

test("a br_table costs the way it takes", () => {
  const code = [
    OP.block, VOID, OP.block, VOID, OP.block, VOID, OP.localGet, 0, OP.brTable, 2, 0, 1, 2, OP.end,
    OP.i32Const, 10, OP.return, OP.end,
    ...ZERO, OP.i32Const, 20, ADD, OP.return, OP.end,
    ...ZERO, ...ZERO, ADD, OP.i32Const, 30, ADD,
  ];
  check(withCode(code), [[0, 10, 4], [1, 20, 6], [2, 30, 8], [99, 30, 8]]);
});

test("values carried by a branch stay on the stack", () => {
  const code = [OP.block, I32, OP.i32Const, 3, OP.localGet, 0, OP.brIf, 0, OP.i32Const, 4, ADD, OP.end];
  check(withCode(code), [[1, 3, 4], [0, 7, 6]]);
});

test("blocks and loops with parameters and several results keep their values", () => {
  const code = [
    OP.localGet, 0, OP.i32Const, 9, OP.block, 1, ADD, OP.i32Const, 2, OP.end, ADD, OP.localSet, 1,
    OP.localGet, 1, OP.loop, 2, OP.i32Const, 1, SUB, OP.localTee, 0, OP.localGet, 0, OP.brIf, 0, OP.end,
  ];
  const types: Parts["types"] = [[[I32, I32], [I32, I32]], [[I32], [I32]]];
  check(withCode(code, { types }), [[-10, 0, 13], [-9, 0, 18]]);
});

test("a function that is called costs its own entry besides", () => {
  const functions = [{ type: 0, code: [OP.localGet, 0, OP.i32Const, 1, ADD] }];
  check(withCode([OP.localGet, 0, OP.call, 1], { functions }), [[4, 5, 7]]);
});

test("indirect calls and calls of references cost as others do", () => {
  const functions = [{ type: 0, code: [OP.localGet, 0] }];
  const tables = [[0x70, 0, 1]];
  const elements = [[0, OP.i32Const, 0, OP.end, 1, 1]];
  check(withCode([OP.localGet, 0, ...ZERO, OP.callIndirect, 0, 0], { functions, tables, elements }), [[4, 4, 6]]);
  const declared = [[3, 0, 1, 1]];
  check(withCode([OP.localGet, 0, 0xd2, 1, OP.callRef, 0], { functions, elements: declared }), [[4, 4, 6]]);
});

test("tail calls of each kind cost what they run, and never grow the stack", () => {
  const countDown = [OP.localGet, 0, OP.if, VOID, OP.localGet, 0, OP.i32Const, 1, SUB];
  check(withCode([...countDown, OP.returnCall, 0, OP.end, OP.localGet, 0]), [[0, 0, 4], [100_000, 0, 700_004]]);
  const tables = [[0x70, 0, 1]];
  const elements = [[0, OP.i32Const, 0, OP.end, 1, 0]];
  const indirect = [...countDown, ...ZERO, OP.returnCallIndirect, 0, 0, OP.end, OP.localGet, 0];
  check(withCode(indirect, { tables, elements }), [[1_000, 0, 8_004]]);
  const reference = [...countDown, 0xd2, 0, OP.returnCallRef, 0, OP.end, OP.localGet, 0];
  check(withCode(reference, { elements: [[3, 0, 1, 0]] }), [[1_000, 0, 8_004]]);
});

test("a branch on a null reference takes the way that the reference tells", () => {
  const code = [OP.block, VOID, 0xd2, 0, OP.brOnNull, 0, OP.drop, OP.i32Const, 1, OP.return, OP.end, OP.i32Const, 2];
  check(withCode(code, { elements: [[3, 0, 1, 0]] }), [[0, 1, 4]]);
  const never = [OP.block, VOID, 0xd0, 0x70, OP.brOnNull, 0, OP.drop, OP.i32Const, 1, OP.return, OP.end, OP.i32Const, 2];
  check(withCode(never), [[0, 2, 4]]);
});

test("an exception costs what ran to its throw and from its catch", () => {
  const code = [
    OP.block, I32, OP.tryTable, VOID, 1, 0, 0, 0, OP.localGet, 0, OP.call, 1, OP.end, OP.i32Const, 50, OP.end,
  ];
  const more: Parts = {
    types: [[[I32], []]],
    tags: [1],
    functions: [{ type: 1, code: [OP.localGet, 0, OP.if, VOID, OP.localGet, 0, OP.throw, 0, OP.end] }],
  };
  check(withCode(code, more), [[0, 50, 8], [7, 7, 9]]);
});

test("an exception that is thrown on by its reference is caught further out", () => {
  const code = [
    OP.block, VOID, OP.tryTable, VOID, 1, 2, 0,
    OP.block, 0x69, OP.tryTable, VOID, 1, 3, 0, OP.throw, 0, OP.end, OP.unreachable, OP.end, OP.throwRef,
    OP.end, OP.unreachable, OP.end, OP.i32Const, 6,
  ];
  check(withCode(code, { types: [[[], []]], tags: [1] }), [[0, 6, 6]]);
});

test("a loop that goes on by catching pays for each turn", () => {
  const code = [
    OP.block, VOID, OP.loop, VOID, OP.localGet, 0, 0x45, OP.brIf, 1,
    OP.localGet, 0, OP.i32Const, 1, SUB, OP.localSet, 0,
    OP.tryTable, VOID, 1, 2, 0, OP.throw, 0, OP.end, OP.end, OP.end, OP.localGet, 0,
  ];
  const guest = start(withCode(code, { types: [[[], []]], tags: [1] }));
  assert.equal(guest.call("f", 5), 0);
  const turn = guest.fuelOf("f", 5) - guest.fuelOf("f", 4);
  assert.equal(turn, 9);
});

test("legacy exception handling is metered too", () => {
  const code = [OP.try, I32, OP.localGet, 0, OP.throw, 0, OP.catch, 0, OP.i32Const, 1, ADD, OP.catchAll, ...ZERO, OP.end];
  check(withCode(code, { types: [[[I32], []]], tags: [1] }), [[7, 8, 5]]);
  const rethrow = [
    OP.try, I32, OP.try, VOID, OP.localGet, 0, OP.throw, 0, OP.catchAll, OP.rethrow, 0, OP.end, ...ZERO,
    OP.catch, 0, OP.end,
  ];
  check(withCode(rethrow, { types: [[[I32], []]], tags: [1] }), [[7, 7, 4]]);
  const delegate = [
    OP.try, I32, OP.try, VOID, OP.localGet, 0, OP.throw, 0, OP.delegate, 0, ...ZERO, OP.catch, 0, OP.end,
  ];
  check(withCode(delegate, { types: [[[I32], []]], tags: [1] }), [[7, 7, 3]]);
});

test("vector, atomic and saturating instructions cost one each", () => {
  const memories = [[3, 1, 1]];
  const splat = [OP.localGet, 0, OP.simd, 17, OP.localTee, 2, OP.localGet, 2, OP.simd, ...u(0xae), 1, OP.simd, 27, 3];
  const parts = { types: [[[I32], [I32]]] as const, functions: [{ type: 0, locals: [I32, V128], code: splat, name: "f" }] };
  check(assemble({ ...parts }), [[21, 42, 7]]);
  check(withCode([...ZERO, OP.localGet, 0, OP.atomic, 0x1e, 2, 0, OP.drop, OP.atomic, 3, 0, ...ZERO, 0x28, 2, 0], { memories }), [
    [5, 5, 7],
  ]);
  check(withCode([0x43, 0, 0, 0x80, 0x3f, OP.misc, 0]), [[0, 1, 3]]);
});

test("relaxed vector instructions are read", () => {
  const code = [...ZERO, OP.simd, 17, ...ZERO, OP.simd, 17, OP.simd, ...u(0x100), OP.simd, 27, 0];
  check(withCode(code), [[0, 0, 7]]);
});

test("bulk operations cost their length besides", () => {
  const memories = [[0, 1]];
  const tables = [[0x70, 0, 10]];
  const length = [OP.localGet, 0];
  const back = [OP.localGet, 0];
  const bulk = (before: Bytes, op: Bytes): Uint8Array =>
    withCode([...before, ...length, OP.misc, ...op, ...back], {
      memories, tables, elements: [[1, 0, 1, 0], [3, 0, 1, 0]], data: [[1, 5, 1, 2, 3, 4, 5]], dataCount: true,
    });
  check(bulk([...ZERO, ...ZERO], [10, 0, 0]), [[0, 0, 6], [60_000, 60_000, 60_006]]);
  check(bulk([...ZERO, ...ZERO], [11, 0]), [[1_000, 1_000, 1_006]]);
  check(bulk([...ZERO, ...ZERO], [8, 0, 0]), [[5, 5, 11]]);
  check(bulk([...ZERO, ...ZERO], [12, 0, 0]), [[1, 1, 7]]);
  check(bulk([...ZERO, ...ZERO], [14, 0, 0]), [[9, 9, 15]]);
  check(bulk([...ZERO, 0xd0, 0x70], [17, 0]), [[9, 9, 15]]);
  const grow = withCode([0xd0, 0x70, ...length, OP.misc, 15, 0], { tables });
  check(grow, [[0, 10, 4]]);
});

test("a bulk operation in a later segment is charged where it stands", () => {
  const fill = [...ZERO, ...ZERO, OP.localGet, 0, OP.misc, 11, 0];
  const code = [OP.localGet, 0, OP.if, VOID, ...fill, ...fill, OP.end, OP.localGet, 0];
  check(withCode(code, { memories: [[0, 1]] }), [[0, 0, 4], [100, 100, 212]]);
});

test("code that can't be reached costs nothing and stays valid", () => {
  const code = [
    OP.block, VOID, OP.br, 0, OP.loop, VOID, ...ZERO, OP.if, VOID, OP.br, 1, OP.else, OP.br, 0, OP.end, OP.end, OP.end,
    OP.localGet, 0, OP.return, ...ZERO, OP.misc, 11, 0,
  ];
  check(withCode(code, { memories: [[0, 1]] }), [[3, 3, 3]]);
});

test("a start function runs on fuel of its own, since the host can't give it any", () => {
  const bytes = assemble({ types: [[[], []]], functions: [{ type: 0, code: [...ZERO, OP.drop] }], start: 0 });
  const instance = new WebAssembly.Instance(compile(meter(bytes).bytes));
  const counter = instance.exports[FUEL_EXPORT];
  assert.ok(counter instanceof WebAssembly.Global);
  assert.equal(counter.value, BigInt(START_FUEL - 2));
});

test("64-bit results and arguments pass unchanged", () => {
  const guest = start(assemble({ types: [[[I64], [I64]]], functions: [{ type: 0, code: [OP.localGet, 0, OP.i64Const, ...s(-1), OP.i64Sub], name: "f" }] }));
  assert.equal(guest.call("f", 2n ** 62n), 2n ** 62n + 1n);
  assert.equal(guest.fuelOf("f", 0n), 4);
});

test("nested loops cost the sum of their turns", () => {
  const code = [
    OP.loop, VOID, OP.i32Const, 3, OP.localSet, 1,
    OP.loop, VOID, OP.localGet, 1, OP.i32Const, 1, SUB, OP.localTee, 1, OP.brIf, 0, OP.end,
    OP.localGet, 0, OP.i32Const, 1, SUB, OP.localTee, 0, OP.i32Const, 0, LT_S, 0x45, OP.brIf, 0, OP.end, OP.localGet, 0,
  ];
  // Outer turns 3, each 2 + 3 inner turns of 5 + 8.
  check(withCode(code), [[2, -1, 1 + 3 * (2 + 15 + 8) + 1]]);
});
