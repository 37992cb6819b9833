import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession, run } from "./javascript-session.ts";

const METHODS: Readonly<Record<string, string>> = {
  Array: "push pop shift slice splice join map filter forEach some every includes indexOf findLast findIndex sort at values entries",
  String: "split slice replace replaceAll trim startsWith endsWith includes indexOf repeat toWellFormed charCodeAt",
  Map: "get set has delete values keys entries", Set: "has add values", WeakMap: "get set has", Promise: "then catch",
  Function: "call apply bind toString", RegExp: "exec test", Error: "toString", Object: "toString hasOwnProperty",
};
const STATICS = "JSON.stringify JSON.parse Object.keys Object.entries Object.create Object.is Object.defineProperty Object.getOwnPropertyDescriptor Reflect.ownKeys Reflect.get Reflect.apply Array.isArray Array.from Promise.resolve Number.isFinite Math.min Math.max Symbol.for globalThis.Map globalThis.Array globalThis.Object globalThis.String globalThis.Promise globalThis.Reflect globalThis.Math globalThis.JSON globalThis.Date globalThis.RegExp globalThis.WeakMap";

/** What code does to the language that all of the sandbox shares. */
const PATCHES: readonly string[] = [
  ...Object.entries(METHODS).flatMap(([kind, names]) => names.split(" ").map((name) => `${kind}.prototype.${name} = null`)),
  ...STATICS.split(" ").map((name) => `${name} = null`),
  "delete Map.prototype.size; delete Map.prototype.get",
  "Object.defineProperty(Map.prototype, 'size', { get() { return 5 } })",
  "Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => 'J'",
  "Object.prototype.get = 1; Object.prototype.set = 2; Object.prototype.value = 3",
  "delete Array.prototype[Symbol.iterator]; delete Map.prototype[Symbol.iterator]",
  "Object.getPrototypeOf([][Symbol.iterator]()).next = null",
  "Object.defineProperty(Array.prototype, 0, { get() { return 9 }, set() {}, configurable: true })",
  "Object.defineProperty(Object.prototype, 'status', { set() { throw 1 }, configurable: true })",
  "Object.prototype.error = { type: 'X', message: 'forged' }",
  "Error.prepareStackTrace = () => 'no'; Error.stackTraceLimit = 0",
];

for (const patch of PATCHES) {
  test(`the answer is right though the code does ${patch}`, async () => {
    const plain = await run(`${patch};\nconsole.log('hi');\n({ a: [1, { b: 'x' }] })`);
    assert.deepEqual([plain.error, plain.result, plain.stdout], [undefined, { a: [1, { b: "x" }] }, "hi\n"]);
    const timed = await run(`${patch};\nsetTimeout(() => {}, 1); 3`);
    assert.deepEqual([timed.error, timed.result], [undefined, 3]);
    const thrown = await run(`${patch};\nthrow new RangeError('boo')`);
    assert.deepEqual([thrown.error?.type, thrown.error?.message], ["RangeError", "boo"]);
    const session = await openSession();
    await session.run(patch);
    const next = await session.run("let q = 20 + 1;\nconsole.log('hi');\nq * 2");
    assert.deepEqual([next.error, next.result, next.stdout], [undefined, 42, "hi\n"]);
  });
}

test("what code adds to the language or changes in it lasts, in its turn and in the next", async () => {
  const session = await openSession();
  await session.run("Array.prototype.sum = function () { return this.reduce((a, b) => a + b, 0) };\nBigInt.prototype.toJSON = function () { return String(this) };\nMath.random = () => 0.5;\nconst { map } = Array.prototype;\nArray.prototype.map = function (f) { return ['own', ...map.call(this, f)] };\nObject.prototype.extra = 1;");
  const code = "const seen = []; for (const key in { a: 1 }) seen.push(key);\nawait new Promise((resolve) => setTimeout(resolve, 1));\n[[1, 2].sum(), JSON.stringify({ a: 5n }), Math.random(), [1].map((x) => x), seen]";
  for (let turn = 0; turn < 2; turn += 1) {
    const { result, error } = await session.run(code.replace("const seen", `const seen${turn}`).replaceAll("seen.push", `seen${turn}.push`).replace("seen]", `seen${turn}]`));
    assert.deepEqual([error, result], [undefined, [3, '{"a":"5"}', 0.5, ["own", 1], ["a", "extra"]]]);
  }
});
