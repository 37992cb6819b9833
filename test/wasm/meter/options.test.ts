import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { FUEL_EXPORT, functionNames, meter, type MeterOptions } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, exportOf, F32, F64, I32, I64, type Parts, s, text, u, V128 } from "./assembler.ts";
import { compile } from "./guest.ts";

const NAMES = [0, 2, 1, 0x6d, 1, ...u(1 + 5 + 5 + 5), 3, 0, ...text("one"), 1, ...text("two"), 2, ...text("one")];

/** Three functions, a memory of one page with a word in it, four numbers that change and one that does not. */
const PARTS: Parts = {
  types: [[[], [I32]]],
  functions: [
    { type: 0, code: [OP.i32Const, 1] },
    { type: 0, code: [OP.globalGet, 0, OP.i32Const, 1, 0x6a, OP.globalSet, 0, OP.globalGet, 0], name: "next" },
    { type: 0, code: [OP.i32Const, 0, 0x28, 2, 0], name: "peek" },
  ],
  memories: [[1, 1, 3]],
  globals: [
    [I32, 1, OP.i32Const, ...s(40), OP.end],
    [I64, 1, OP.i64Const, ...s(-2), OP.end],
    [F32, 1, 0x43, 0, 0, 0x80, 0x3f, OP.end],
    [F64, 1, 0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, OP.end],
    [I32, 0, OP.i32Const, 5, OP.end],
  ],
  exports: [exportOf("memory", 2, 0)],
  data: [[0, OP.i32Const, 0, OP.end, 4, 9, 0, 0, 0], [1, 2, 8, 8]],
  dataCount: true,
  customs: [["name", NAMES], ["producers", [0]]],
};
const BYTES = assemble(PARTS);

function instantiate(options: MeterOptions, imports: WebAssembly.Imports = {}): WebAssembly.Exports {
  return new WebAssembly.Instance(compile(meter(BYTES, options).bytes), imports).exports;
}

function run(exports: WebAssembly.Exports, name: string): unknown {
  const target = exports[name];
  assert.ok(typeof target === "function");
  return target();
}

function refused(act: () => unknown, message: RegExp): void {
  assert.throws(act, (error) => isBelljarError(error, "BAD_MODULE") && error instanceof Error && message.test(error.message));
}

test("every mutable global is exported under its index, and none else", () => {
  assert.deepEqual(meter(BYTES).globals, [
    { name: "belljar:global:0", type: "i32" },
    { name: "belljar:global:1", type: "i64" },
    { name: "belljar:global:2", type: "f32" },
    { name: "belljar:global:3", type: "f64" },
  ]);
});

test("a global that is written from outside is what the guest reads on", () => {
  const exports = instantiate({});
  assert.equal(run(exports, "next"), 41);
  const global = exports["belljar:global:0"];
  assert.ok(global instanceof WebAssembly.Global);
  assert.equal(global.value, 41);
  global.value = 7;
  assert.equal(run(exports, "next"), 8);
});

test("the twin that is never charged has the same exports, and a counter that stays where it is", () => {
  const twin = instantiate({ charged: false });
  const counter = twin[FUEL_EXPORT];
  assert.deepEqual(Object.keys(twin), Object.keys(instantiate({})));
  assert.ok(counter instanceof WebAssembly.Global);
  counter.value = 5n;
  assert.equal(run(twin, "next"), 41);
  assert.equal(counter.value, 5n);
});

test("functions and loops are counted", () => {
  const { functions, loops } = meter(BYTES);
  assert.deepEqual([functions, loops], [3, 0]);
});

test("a memory made an import keeps its minimum, its exports and its data", () => {
  const bytes = meter(BYTES, { importMemory: true }).bytes;
  assert.deepEqual(WebAssembly.Module.imports(compile(bytes)), [{ module: "belljar", name: "memory", kind: "memory" }]);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
  const exports = instantiate({ importMemory: true }, { belljar: { memory } });
  assert.equal(exports.memory, memory);
  assert.equal(run(exports, "peek"), 9);
  assert.throws(() => instantiate({ importMemory: true }, { belljar: { memory: new WebAssembly.Memory({ initial: 0 }) } }), WebAssembly.LinkError);
});

test("a memory made an import grows to the host's maximum and not past it", () => {
  const grower = assemble({
    types: [[[], [I32]]],
    functions: [{ type: 0, code: [OP.i32Const, 1, 0x40, 0], name: "grow" }],
    memories: [[0, 1]],
  });
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 3 });
  const { exports } = new WebAssembly.Instance(compile(meter(grower, { importMemory: true }).bytes), { belljar: { memory } });
  assert.deepEqual([run(exports, "grow"), run(exports, "grow"), run(exports, "grow")], [1, 2, -1]);
});

test("a shared memory made an import stays shared", () => {
  const shared = assemble({ memories: [[3, 1, 4]] });
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
  assert.ok(new WebAssembly.Instance(compile(meter(shared, { importMemory: true }).bytes), { belljar: { memory } }));
  refused(() => meter(assemble({ types: [[[], []]] }), { importMemory: true }), /no memory is defined/);
});

test("dropped data leaves the memory empty, and the indices of passive segments as they were", () => {
  const reader = assemble({
    ...PARTS,
    functions: [{ type: 0, code: [OP.i32Const, 0, OP.i32Const, 0, OP.i32Const, 2, OP.misc, 8, 1, 0, OP.i32Const, 0, 0x28, 2, 0], name: "peek" }],
    customs: [],
  });
  assert.equal(run(instantiate({ dropData: true }), "peek"), 0);
  const { exports } = new WebAssembly.Instance(compile(meter(reader, { dropData: true }).bytes));
  assert.equal(run(exports, "peek"), 0x0808);
});

test("functions are exported by the names of the name section", () => {
  assert.deepEqual([...functionNames(BYTES)], [["one", 0], ["two", 1]]);
  const exports = instantiate({ exportFunctions: { "belljar:one": "one", "belljar:two": "two" } });
  assert.equal(run(exports, "belljar:one"), 1);
  assert.equal(run(exports, "belljar:two"), 41);
});

test("a name that is not there, and an export that is, are refused", () => {
  refused(() => meter(BYTES, { exportFunctions: { x: "three" } }), /no function is named three \(name section\)/);
  refused(() => meter(BYTES, { exportFunctions: { peek: "one" } }), /export peek is there already \(export section\)/);
  refused(() => meter(meter(BYTES).bytes), /export belljar:global:0 is there already/);
});

test("custom sections stay, or go when asked", () => {
  const customs = (options: MeterOptions): number[] => {
    const module = compile(meter(BYTES, options).bytes);
    return ["name", "producers"].map((name) => WebAssembly.Module.customSections(module, name).length);
  };
  assert.deepEqual(customs({}), [1, 1]);
  assert.deepEqual(customs({ stripCustom: true }), [0, 0]);
});

test("without fuel the code stays as it is and the rest is done", () => {
  const metered = meter(BYTES, { fuel: false, exportFunctions: { one: "one" } });
  const { exports } = new WebAssembly.Instance(compile(metered.bytes));
  assert.equal(exports["belljar:fuel"], undefined);
  assert.equal(exports["belljar:yield"], undefined);
  assert.ok(exports["belljar:global:3"] instanceof WebAssembly.Global);
  assert.equal(run(exports, "one"), 1);
  assert.equal(meter(BYTES, { fuel: false, }).bytes.length < meter(BYTES).bytes.length, true);
});

test("a module without any section is metered to one that has the counter", () => {
  const { exports } = new WebAssembly.Instance(compile(meter(assemble({})).bytes));
  assert.deepEqual(Object.keys(exports), ["belljar:fuel", "belljar:yield"]);
});

test("a mutable global that no image can hold is refused", () => {
  const vector = [V128, 1, OP.simd, 12, ...Array.from({ length: 16 }, () => 0), OP.end];
  refused(() => meter(assemble({ globals: [vector] })), /global 0 is mutable and of a type that no image can hold/);
});

test("the same bytes are metered to the same bytes", () => {
  assert.deepEqual(meter(BYTES).bytes, meter(BYTES).bytes);
});

test("branches are hinted at in functions alone whose code runs often at each call", () => {
  const call = [OP.call, 0, 0x1a];
  const loop = (code: readonly number[]): number[] => [OP.loop, 0x40, ...code, OP.i32Const, 0, OP.brIf, 0, OP.end];
  const rare = [OP.i32Const, 1, OP.if, 0x40, OP.i32Const, 1, OP.if, 0x40, ...loop(call), OP.end, OP.end];
  const functions = [call, rare, loop(call), loop(loop(call))].map((code) => ({ type: 1, code }));
  const bytes = meter(assemble({ types: [[[], [I32]], [[], []]], functions: [{ type: 0, code: [OP.i32Const, 1] }, ...functions] })).bytes;
  const [hints] = WebAssembly.Module.customSections(compile(bytes), "metadata.code.branch_hint");
  assert.ok(hints !== undefined);
  const [hinted, first, ofFirst] = new Uint8Array(hints);
  assert.deepEqual([hinted, first, ofFirst], [2, 3, 1]);
});
