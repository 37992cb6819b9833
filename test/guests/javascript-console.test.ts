import assert from "node:assert/strict";
import { Console } from "node:console";
import { Writable } from "node:stream";
import { test } from "node:test";
import { run } from "./javascript-session.ts";

/** Calls of the console whose output is to be what Node prints for the same. */
const SAME_AS_NODE: readonly string[] = [
  "console.log('hi')",
  "console.log()",
  "console.log('%s is %d, %i, %f, %j, %% %c.', 'x', 42.5, 42.9, '1.5', { a: 1 }, 'css')",
  "console.log('%o|%O', [1], { b: { c: { d: {} } } })",
  "console.log('a', 1, true, null, undefined, 10n, Symbol('s'), -0)",
  "console.log('%s', { a: { b: { c: 1 } } }, 'more')",
  "console.log({ a: { b: { c: { d: 1 } } } })",
  "console.log([1, , 3], [undefined, null], ['str'], [[[[1]]]])",
  "console.log(new Map([['k', new Set([1, 'two'])]]), new WeakMap())",
  "console.log(class A {}, class B extends Array {}, function f() {}, () => {}, async () => {}, function* g() {})",
  "console.log(new (class Foo { constructor() { this.a = 1 } })(), Object.create(null))",
  "console.log(new Date(0), /re/g, new Uint8Array(3), new Float32Array([0.5]), new ArrayBuffer(2))",
  "const o = { name: 'o' }; o.self = o; o.list = [o]; console.log(o)",
  "console.log({ get a() { return 1 }, set b(v) {}, [Symbol('k')]: 2, 'odd-key': 3 })",
  "console.log(Array.from({ length: 120 }, (_, i) => i))",
  "console.log('x'.repeat(50), ['y'.repeat(120)], { long: 'z'.repeat(90), other: 1 })",
  "console.log(Object.fromEntries(Array.from({ length: 30 }, (_, i) => ['key' + i, i])))",
  "console.log([new Error('x').message], Object(1), Object('s'))",
  "console.table([{ a: 1, b: 'x' }, { a: 2, c: true }])",
  "console.table([1, 'two', { three: 3 }])",
  "console.table([[1, 2], [3, 4]])",
  "console.table(new Map([['a', 1]]))",
  "console.table([{ a: 1, b: 2 }], ['b'])",
  "console.table(5)",
  "console.group('G'); console.log('in\\nner'); console.group(); console.info('deep'); console.groupEnd(); console.groupEnd(); console.log('out')",
  "console.count(); console.count('a'); console.count(); console.countReset(); console.count()",
  "console.dir({ a: { b: { c: {} } } }, { depth: 0 })",
  "console.log('multi\\nline', ['multi\\nline'], 'quote\\'s', [\"it's\"], ['\"'])",
  "console.assert(true, 'not shown'); console.debug('debug')",
];

for (const code of SAME_AS_NODE) {
  test(`prints as Node does: ${code}`, async () => {
    const { stdout, error } = await run(code);
    assert.equal(error, undefined);
    assert.equal(stdout, printedByNode(code));
  });
}

function printedByNode(code: string): string {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const own = new Console({ stdout: stream, stderr: new Writable({ write: (_chunk, _encoding, done) => done() }), colorMode: false });
  new Function("console", code)(own);
  return text;
}

test("errors, warnings, traces and failed assertions go to stderr", async () => {
  const { stdout, stderr } = await run("console.error('bad'); console.warn('hm'); console.assert(1 > 2, 'no %s', 'way'); console.trace('here'); console.log('ok')");
  assert.equal(stdout, "ok\n");
  assert.equal(stderr, "bad\nhm\nAssertion failed: no way\nTrace: here\n    at <code>:1:90\n");
});

test("prints an error with its stack in the code", async () => {
  const { stdout } = await run("console.log(new TypeError('t'))");
  assert.equal(stdout, "TypeError: t\n    at <code>:1:17\n");
});

test("times what it is asked to time", async () => {
  const { stdout } = await run("console.time('t'); console.timeLog('t', 'so far'); console.timeEnd('t')");
  assert.match(stdout, /^t: [\d.]+ms so far\nt: [\d.]+ms\n$/);
});

test("what is printed is well-formed, and is not the answer", async () => {
  assert.equal((await run("console.log('a\\ud83db')")).stdout, "a\ufffdb\n");
  const { stdout, result } = await run(`console.log('{"jsonrpc":"2.0","id":1,"result":{}}')`);
  assert.equal(stdout, '{"jsonrpc":"2.0","id":1,"result":{}}\n');
  assert.equal(result, undefined);
});

test("process.stdout and process.stderr print as they are told", async () => {
  const { stdout, stderr } = await run("process.stdout.write('no newline'); process.stderr.write('e')");
  assert.deepEqual([stdout, stderr], ["no newline", "e"]);
});

test("claims nothing of a promise's state, and shows what an iterator will give without taking it", async () => {
  const { stdout, result } = await run("const it = new Map([['a', 1], ['b', 2]]).keys(); console.log(Promise.resolve(1), it, new Set([3]).values()); it.next(); [...it]");
  assert.equal(stdout, "Promise { <not awaited> } [Map Iterator] { 'a', 'b' } [Set Iterator] { 3 }\n");
  assert.deepEqual(result, ["b"]);
  const long = await run("const it = new Set(Array.from({ length: 500 }, (_, i) => i)).values(); console.log(it); [...it].length");
  assert.equal(long.result, 500);
});
