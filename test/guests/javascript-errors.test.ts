import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession, run } from "./javascript-session.ts";

/** Code, and what its error says: type, part of the message, line, column. */
const ERRORS: readonly (readonly [code: string, type: string, message: RegExp, line?: number, column?: number])[] = [
  ["const a = 1;\nconst b = 2;\nconst c = ;", "SyntaxError", /^Unexpected token ';'$/, 3, 11],
  ["const a = 1;\nconst a = 2;", "SyntaxError", /already been declared/, 2, 7],
  ["foo(", "SyntaxError", /^Unexpected end of input$/, 1],
  ["let x = `abc", "SyntaxError", /Unterminated template/, 1],
  ["let a: number = 1;\nlet b: string = ;", "SyntaxError", /Unexpected token/, 2, 17],
  ["function f() {\n  throw new Error('boom');\n}\nf();", "Error", /^boom$/, 2],
  ["await Promise.reject(new TypeError('no'))", "TypeError", /^no$/, 1],
  ["null.x", "TypeError", /property 'x' of null/, 1],
  ["\n\nundefinedName + 1", "ReferenceError", /undefinedName is not defined/, 3, 1],
  ["console.log('once');\nthrow new SyntaxError('return');", "SyntaxError", /^return$/, 2],
  ["throw null", "Error", /^Uncaught null$/, 1, 1],
  ["throw {code: 5}", "Error", /^Uncaught \{ code: 5 \}$/, 1, 1],
  ["function f() {\n  throw 'text';\n}\ntry { f() } finally { 1 }", "Error", /^Uncaught 'text'$/, 2, 3],
  ["try { throw 1 } catch (e) {\n  throw e }", "Error", /^Uncaught 1$/, 2, 3],
  ["const f = (a: number) => { throw (a, NaN) };\nf(1)", "Error", /^Uncaught NaN$/, 1, 28],
  ["class E { constructor() { this.why = 'x' } }\nconst f = async () => { throw new E() };\nawait f()", "Error", /^Uncaught E \{ why: 'x' \}$/, 2, 25],
  ["setTimeout(() => {\n throw 5 }, 1)", "Error", /^Uncaught 5$/, 2, 2],
  ["function* g() { throw await0() }\nfunction await0() { return Symbol('s') }\n[...g()]", "Error", /^Uncaught Symbol\(s\)$/, 1, 17],
  ["throw (() => { throw 2 })()", "Error", /^Uncaught 2$/, 1, 16],
  ["try { throw 1 } catch {}\nPromise.reject(7)", "Error", /^Uncaught 7$/],
  ["Look:\n```js\nthrow 1\n```", "Error", /^Uncaught 1$/, 3, 1],
  ["Look:\n```ts\nlet a: number = ;\n```", "SyntaxError", /Unexpected token/, 3, 17],
  ["Look, no code\nat all", "SyntaxError", /Unexpected token/, 1, 10],
  ["await new Promise(() => {})", "Error", /can never settle/],
  ["const late = () => Promise.reject(new RangeError('unseen')); late(); 1", "RangeError", /^unseen$/, 1],
  ["setTimeout(() => { throw new Error('in a timer') }, 1)", "Error", /^in a timer$/, 1],
  ["class MyError extends Error { constructor(m) { super(m); this.name = 'MyError' } }\nthrow new MyError('own')", "MyError", /^own$/, 2],
  ["interface A { b: string }\nconst a: A = null as any;\na.b", "TypeError", /property 'b' of null/, 3, 1],
  ["import x from 'underscore'", "Error", /Object\.groupBy/],
  ["require('readline')", "Error", /no stdin here/],
  ["import x from 'lodash'", "Error", /Cannot find module 'lodash'.*Inside are: assert/],
  ["import x from 'npm:left-pad@1'", "Error", /belljar packages add npm:left-pad@1 --packages=DIR/],
  ["await import('https://cdn.example/x.js')", "Error", /No module is loaded from an address; .* add npm:NAME --packages=DIR/],
  ["import x from './mine.js'", "Error", /There is no such file\./],
  ["import { nothing } from 'node:util'", "SyntaxError", /does not provide an export named 'nothing'/],
  ["require('child_process')", "Error", /no processes/],
  ["require('fs').readFileSync('/etc/passwd')", "Error", /^ENOENT: no such file or directory, open '\/etc\/passwd'$/],
  ["fetch('http://example.com')", "TypeError", /No network here: example\.com was not allowed\. The user can start Belljar with --allow-net=example\.com/],
  ["@dec class Q {}", "SyntaxError", /Decorators are not supported/, 1, 1],
  ["const el = <div>hi</div>;", "SyntaxError", /JSX is not supported/],
  ["let n: number;\nnamespace N { export const a = 1 }", "SyntaxError", /namespace is not supported/, 2, 1],
  ["const o = {};\no.foo(1)", "TypeError", /^o\.foo is not a function$/, 2, 3],
  ["const o = { a: 1 };\nnew o.a()", "TypeError", /^o\.a is not a constructor$/, 2],
  ["const p: { a?: () => number } = {};\n(p as any).a!()", "TypeError", /^\(p as any\)\.a is not a function$/, 2],
  ["[1].map(3)", "TypeError", /^\[1\]\.map was given what is not a function$/, 1],
  ["let n = 1;\nconst { a } = null;", "TypeError", /^null, or a part of it that is taken apart, is undefined or null$/, 2, 1],
  ["function f() {\n  const [a] = 5;\n}\nf()", "TypeError", /^5 is not iterable$/, 2],
  ["let n = null, a;\n({ a } = n)", "TypeError", /^n, or a part of it that is taken apart, is undefined or null$/, 2],
  ["const u = 5;\nMath.max(...u)", "TypeError", /^u is not iterable$/, 2],
  ["for (const x of { a: 1 }) {}", "TypeError", /^\{ a: 1 \} is not iterable$/, 1],
  ["const f = 1;\nstructuredClone(() => 1)", "DataCloneError", /could not be cloned/, 2, 1],
  ["Object.defineProperty(new Error('e'), 'name', { get() { throw 1 } }).name", "Error", /Uncaught 1/],
];

for (const [code, type, message, line, column] of ERRORS) {
  test(`tells the error of ${JSON.stringify(code)}`, async () => {
    const { status, error } = await run(code);
    assert.equal(status, "error");
    assert.equal(error?.type, type);
    assert.match(error?.message ?? "", message);
    if (line !== undefined) assert.equal(error?.line, line);
    if (column !== undefined) assert.equal(error?.column, column);
  });
}

test("shows a syntax error with its line and a caret", async () => {
  const { error } = await run("const a = 1;\nconst c = ;");
  assert.equal(error?.traceback, "<code>:2\nconst c = ;\n          ^\n\nSyntaxError: Unexpected token ';'");
});

test("shows the frames of the code and no others", async () => {
  const { error } = await run("function f() {\n  throw new Error('boom');\n}\nf();");
  assert.equal(error?.traceback, "<code>:2\n  throw new Error('boom');\n            ^\n\nError: boom\n    at f (<code>:2:13)\n    at <code>:4:1");
});

test("shows causes and the properties of an error", async () => {
  const { error } = await run("throw Object.assign(new Error('outer', { cause: new TypeError('inner') }), { code: 'E7' })");
  assert.match(error?.traceback ?? "", /code: 'E7'/);
  assert.match(error?.traceback ?? "", /\[cause\]: TypeError: inner/);
});

test("finds the place in the turn that a function came from", async () => {
  const session = await openSession();
  await session.run("\n\nfunction thrower() {\n  throw new Error('here');\n}");
  const { error } = await session.run("1;\nthrower()");
  assert.match(error?.traceback ?? "", /at thrower \(<code>:4:13\)\n {4}at <code>:2:1$/);
});

test("runs code once only, whatever its errors say", async () => {
  const { stdout } = await run("console.log('once');\nthrow new SyntaxError('await is only valid');");
  assert.equal(stdout, "once\n");
});

test("ends the turn with the code of process.exit", async () => {
  const { thrown, exitCode, stdout } = await run("console.log('before'); process.exit(3); console.log('after')");
  assert.deepEqual({ thrown, exitCode, stdout }, { thrown: "GUEST_EXIT", exitCode: 3, stdout: "before\n" });
});

test("error.stack reads as in V8", async () => {
  const { result } = await run("const make = () => new Error('m');\nmake().stack");
  assert.equal(result, "Error: m\n    at make (<code>:1:24)\n    at <code>:2:1");
});

const RECOGNISED: readonly (readonly [code: string, hint: RegExp])[] = [
  ["def f(x):\n    return x * 2\nf(2)", /execute_python/],
  ["import numpy as np\nnp.array([1])", /execute_python/],
  ["from collections import Counter", /execute_python/],
  ["for i in range(3):\n    print(i)", /execute_python/],
  ["x = [i * 2 for i in range(3)]", /execute_python/],
  ["# a comment\nx = 5", /execute_python/],
  ["print('hi')", /console\.log/],
  ["x = None", /null/],
  ["npm install lodash", /no shell/],
  ["$ node index.js", /no shell/],
  ["document.title", /no browser/],
];

for (const [code, hint] of RECOGNISED) {
  test(`knows what ${JSON.stringify(code)} is meant for`, async () => {
    const { status, notes } = await run(code);
    assert.equal(status, "error");
    assert.match(notes?.join("\n") ?? "", hint);
  });
}

test("guesses nothing of a plain mistake", async () => {
  for (const code of ["const a = { b: 1 c: 2 }", "let z = if (x) { 1 }", "const s = 'abc", "nope()", "for (const x of [1) {}"]) {
    assert.equal((await run(code)).notes, undefined, code);
  }
});

test("shows no frames but the code's own", async () => {
  for (const code of ["JSON.parse('{bad')", "[1].map(() => { throw new Error('x') })", "require('fs').readFileSync('nope')", "await import('node:fs/promises').then((fs) => fs.readFile('nope'))", "atob('*')"]) {
    const { error } = await run(code);
    assert.doesNotMatch(error?.traceback ?? "", /anonymous|native|componentize/, code);
    assert.equal(error?.line, 1, code);
  }
});

test("tells a syntax error as one when the second parser gives up on the code without a place", async () => {
  const { error } = await run("const f = async () => 1;\nclass C { async *m([...[x] = []]) {} }\nclass D { async *m() { await: 1; } }");
  assert.deepEqual([error?.type, error?.line], ["SyntaxError", 2]);
});
