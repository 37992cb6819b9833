import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession, run } from "./javascript-session.ts";

/** Forms of code, and the value of each. */
const FORMS: readonly (readonly [what: string, code: string, result: unknown])[] = [
  ["a top-level return", "if (true) { return 5 }\n6", 5],
  ["await at the top level", "const v = await Promise.resolve(7);\nv", 7],
  ["for await", "let s = 0;\nfor await (const x of [Promise.resolve(1), 2]) s += x;\ns", 3],
  ["the word await in a text", 'const s = "await";\nfunction f() { return 3 }\ns + f()', "await3"],
  ["an async function that is called", "(async () => 7)()", 7],
  ["an object that stands alone", "{ a: 1, b: [1, 2] }", { a: 1, b: [1, 2] }],
  ["a block", "{ let q = 4; q + 1 }", 5],
  ["an if", "if (0) { 5 } else { 6 }", 6],
  ["a loop", "for (let i = 0; i < 3; i++) i * 2", 4],
  ["try and catch", "try { null.x } catch { 'caught' }", "caught"],
  ["a switch", "switch (2) { case 2: 'two'; break; default: 'other' }", "two"],
  ["a declaration after the value", "5; function f() {}; const z = 1", 5],
  ["an assignment", "let x; x = 3", 3],
  ["a comment at the end", "4 // four", 4],
  ["a directive alone", '"use strict"', "use strict"],
  ["strict code", '"use strict"; (function () { return this === undefined })()', true],
  ["sloppy code", "(function () { return this === globalThis })()", true],
  ["a hashbang line", "#!/usr/bin/env node\n5", 5],
  ["Markdown with prose", "Here is the code:\n\n```js\nconst a = `x`;\na + 1\n```\n\nIt's done (I hope).", "x1"],
  ["Markdown of several pieces, and in TypeScript", "First:\n~~~ts\nconst a: number = 1;\n~~~\nThen:\n  ```\n  a + 1\n  ```", 2],
  ["a fence in a comment", "/*\n```js\nnope(\n```\n*/ 3", 3],
  ["Markdown fences", "```js\nconst a = `x`;\na + 1\n```\n", "x1"],
  ["a byte order mark", "\uFEFF1 + 1", 2],
  ["Windows line ends", "const a = 1;\r\na + 1\r\n", 2],
  ["types", "const x: number = 4 as number; function f<T>(a: T): T { return a! }\nf<number>(x)", 4],
  ["interfaces and type imports", "import type { Q } from 'q';\ninterface A { x: number }\nconst a: A = { x: 2 };\na.x", 2],
  ["enum", "enum Color { Red, Blue = 'b' }\n[Color.Red, Color.Blue, Color[0]]", [0, "b", "Red"]],
  ["parameter properties", "class P { constructor(private readonly n: number) {} get(): number { return this.n } }\nnew P(3).get()", 3],
  ["satisfies, overloads, abstract", "abstract class A { abstract m(): number }\nclass B extends A { m(): number; m() { return 1 } }\n({ k: new B().m() }) satisfies object", { k: 1 }],
  ["a less-than that looks like types", "const a = 1, b = 2, c = 3; a < b, b > (c)", false],
  ["imports", "import path, { join } from 'node:path';\nimport * as util from 'util';\n[join('a', '..', 'b'), path.basename('/x/y.z'), util.format('%d', 4)]", ["b", "y.z", "4"]],
  ["a dynamic import", "(await import('node:util')).isDeepStrictEqual({ a: 1 }, { a: 1 })", true],
  ["import.meta", "import.meta.url", "file:///work/code.js"],
  ["exports", "export const k = 4;\nexport default k + 1", 5],
  ["module.exports", "module.exports = { a: 1 };\nmodule.exports.a", 1],
  ["eval", "const local = 3; eval('local + 1')", 4],
  ["new Function", "new Function('a', 'return a * 2')(4)", 8],
  ["the constructor of a constructor", 'this.constructor.constructor("return typeof process")()', "undefined"],
];

for (const [what, code, result] of FORMS) {
  test(`runs ${what}`, async () => {
    const ran = await run(code);
    assert.equal(ran.error, undefined);
    assert.deepEqual(ran.result, result);
  });
}

test("keeps names for later turns, and lets them be declared again", async () => {
  const session = await openSession();
  await session.run("let x = 1; const y = 2; var z = 3; function f() { return x } class C { n = 5 }\nimport { inspect } from 'node:util'");
  assert.deepEqual((await session.run("x += 10; [x, y, z, f(), new C().n, typeof inspect]")).result, [11, 2, 3, 11, 5, "function"]);
  assert.equal((await session.run("const y = 20; let f = 7; y + f")).result, 27);
  assert.equal((await session.run("y + z")).result, 23);
});

test("keeps a closure, a class instance and a const over turns", async () => {
  const session = await openSession();
  await session.run("const mk = k => v => v + k;\nglobalThis.add = mk(3)");
  assert.equal((await session.run("add(2)")).result, 5);
  await session.run("class C { constructor(n) { this.n = n } twice() { return this.n * 2 + 1 } }\nconst c = new C(2)");
  assert.equal((await session.run("c.twice()")).result, 5);
  assert.match((await session.run("c = 1")).error?.message ?? "", /read-only|constant/);
});

test("keeps what was declared before an error", async () => {
  const session = await openSession();
  await session.run("let kept = 1; throw new Error('x')");
  assert.equal((await session.run("kept")).result, 1);
});

test("shares nothing between instances", async () => {
  await run("Object.prototype.polluted = 1; globalThis.leak = 1; Math.random = () => 4");
  assert.deepEqual((await run("[({}).polluted === undefined, typeof leak, Math.random() === 4]")).result, [true, "undefined", false]);
  const [first, second] = [await run("Math.random()"), await run("Math.random()")];
  assert.notEqual(first.result, second.result);
});

test("goes back to its first state when it is reset", async () => {
  const session = await openSession();
  const { result } = await session.run("globalThis.left = 1; Math.random()");
  assert.equal(session.instance.reset("javascript"), true);
  const again = await session.run("[typeof left, Math.random()]");
  assert.ok(Array.isArray(again.result) && again.result[0] === "undefined" && again.result[1] !== result);
});

test("runs timers and jobs to their end, in their order", async () => {
  const { stdout, result } = await run(
    "setTimeout(() => console.log('t10'), 10); setTimeout(() => console.log('t5'), 5); setImmediate(() => console.log('imm'));\n" +
      "queueMicrotask(() => console.log('micro')); Promise.resolve().then(() => console.log('then')); console.log('sync'); 5",
  );
  assert.equal(stdout, "sync\nmicro\nthen\nimm\nt5\nt10\n");
  assert.equal(result, 5);
});

test("waits for a timer that a promise hangs on", async () => {
  const started = performance.now();
  assert.equal((await run("await new Promise(r => setTimeout(() => r('late'), 40))")).result, "late");
  assert.ok(performance.now() - started >= 39);
});

test("an interval runs until it is cleared", async () => {
  const { stdout } = await run("let n = 0; const i = setInterval(() => { console.log(++n); if (n === 3) clearInterval(i) }, 1)");
  assert.equal(stdout, "1\n2\n3\n");
});

test("knows the time of the host", async () => {
  const { result } = await run("[Date.now(), performance.timeOrigin + performance.now()]");
  assert.ok(Array.isArray(result) && result.every((time) => Math.abs(Number(time) - Date.now()) < 5_000));
});
