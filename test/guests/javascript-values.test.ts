import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./javascript-session.ts";

/** Code, its `result`, and its `repr` where it matters. */
const VALUES: readonly (readonly [code: string, result: unknown, repr?: string])[] = [
  ["1 + 1", 2, "2"],
  ["const x = 5;\nx * 2", 10],
  ["null", null, "null"],
  ["'text'", "text", "'text'"],
  ["[NaN, Infinity, -Infinity, -0, 1]", ["NaN", "Infinity", "-Infinity", 0, 1], "[ NaN, Infinity, -Infinity, -0, 1 ]"],
  ["10n ** 20n", "100000000000000000000", "100000000000000000000n"],
  ["({a: 1, b: [1, 2]})", { a: 1, b: [1, 2] }],
  ['({m: new Map([["a", 1]]), s: new Set([1, 2]), d: new Date(0)})', { m: { a: 1 }, s: [1, 2], d: "1970-01-01T00:00:00.000Z" }],
  ["new Date(NaN)", "Invalid Date"],
  ["new Uint8Array([1, 2, 255])", [1, 2, 255]],
  ["new BigInt64Array([5n])", ["5"]],
  ["new Float64Array([0.5, NaN])", [0.5, "NaN"]],
  ["new Uint8Array([65, 66]).buffer", { $bytes: "QUI=" }],
  ["new DataView(new Uint8Array([65]).buffer)", { $bytes: "QQ==" }],
  ["new Blob(['AB'])", { $bytes: "QUI=" }],
  ["const o = {a: 1};\no.self = o;\no", { a: 1, self: "<cycle>" }],
  ["const o = {}; [o, o]", [{}, {}]],
  ["[undefined, , null]", [null, null, null]],
  ["new RangeError('as value')", "RangeError: as value"],
  ["({error_type: 'x', message: 'y', status: 'error'})", { error_type: "x", message: "y", status: "error" }],
  ["[1, Promise.resolve(2)]", [1, "<Promise, not awaited>"]],
  ["Promise.resolve(3)", 3],
  ["Symbol('s')", "Symbol(s)"],
  ["(function named() {})", "[Function: named]"],
  ["class A {}\n[A]", ["[class A]"]],
  ["/a+/gi", "/a+/gi"],
  ["new Map([[{k: 1}, 2], [3, 4]])", { "{ k: 1 }": 2, 3: 4 }],
  ["[1, 2].entries()", [[0, 1], [1, 2]]],
  ["new (class P { constructor() { this.z = 1 } })()", { z: 1 }, "P { z: 1 }"],
  ["Object.create(null, { a: { value: 1, enumerable: true } })", { a: 1 }],
  ["[Object(1), Object('a'), Object(false)]", [1, "a", false]],
  ["new URL('http://a/b?c=1')", "http://a/b?c=1"],
  ["({toJSON() { while (true) {} }})", { toJSON: "[Function: toJSON]" }],
  ["'a\\ud83db'", "a\ufffdb"],
  ["({'\\ud800': 1})", { "\ufffd": 1 }],
  ["'\\u2028\\u0000\"\\\\'", '\u2028\u0000"\\'],
  ["({__proto__: null, ['__proto__']: 1})", JSON.parse('{"__proto__": 1}')],
  ["const a = []; a[4294967290] = 1; a.length", 4294967291],
];

for (const [code, result, repr] of VALUES) {
  test(`gives the value of ${JSON.stringify(code)}`, async () => {
    const ran = await run(code);
    assert.equal(ran.status, "ok");
    assert.deepEqual(ran.result, result);
    if (repr !== undefined) assert.equal(ran.repr, repr);
  });
}

for (const code of ["undefined", "let x = 1", "console.log(1)", "function f() {}", "", "// nothing", "if (false) 1"]) {
  test(`gives no value for ${JSON.stringify(code)}`, async () => {
    const ran = await run(code);
    assert.equal(ran.status, "ok");
    assert.equal("result" in ran, false);
  });
}

test("marks a getter that throws, and gives the rest", async () => {
  const { result, repr } = await run("({ok: 1, get bad() { throw new Error('getter') }})");
  assert.deepEqual(result, { ok: 1, bad: "<getter throws: getter>" });
  assert.match(repr ?? "", /ok: 1/);
});

test("survives a Proxy whose traps throw or lie", async () => {
  const throwing = await run("new Proxy({a: 1}, { ownKeys() { throw new Error('trap') } })");
  assert.equal(throwing.status, "ok");
  const lying = await run("new Proxy([], { get: (target, key) => key === 'length' ? 2 ** 32 - 1 : 7 })");
  assert.equal(lying.status, "ok");
});

test("shows a sparse array by what it has, without walking its holes", async () => {
  const { result, notes, fuel } = await run("const a = []; a[4294967290] = 1; a");
  assert.deepEqual(result, { 4294967290: 1 });
  assert.match(notes?.[0] ?? "", /sparse array of length 4294967291/);
  assert.ok(fuel < 100_000_000);
});

test("keeps all of 10,000 items, cuts one more, and says so", async () => {
  const whole = await run("Array.from({length: 10_000}, (_, i) => i)");
  assert.ok(Array.isArray(whole.result) && whole.result.length === 10_000 && whole.result.at(-1) === 9_999);
  assert.equal(whole.notes, undefined);
  const cut = await run("Array.from({length: 10_001}, (_, i) => i)");
  assert.ok(Array.isArray(cut.result) && cut.result.at(-1) === "… 1 more items");
  assert.deepEqual(cut.notes, ["The result was cut: … 1 more items."]);
});

test("cuts a value nested deeper than 64 levels", async () => {
  const { result, notes } = await run("let d = 1; for (let i = 0; i < 70; i++) d = [d]; d");
  assert.match(JSON.stringify(result), /nested deeper than 64 levels/);
  assert.equal(notes?.length, 1);
  const whole = await run("let d = 1; for (let i = 0; i < 64; i++) d = [d]; d");
  assert.equal(whole.notes, undefined);
});

test("cuts a long string and long bytes, and stays within two megabytes", async () => {
  const text = await run("'x'.repeat(3_000_000)");
  assert.match(String(text.result), /… \[1951424 more characters\]$/);
  const bytes = await run("new ArrayBuffer(3_000_000)");
  assert.ok(JSON.stringify(bytes.result).length < 400_000);
  const many = await run("Array.from({length: 5000}, () => 'y'.repeat(10_000))");
  assert.ok(JSON.stringify(many.result).length < 2_000_000);
});

test("is not misled by changed builtins", async () => {
  const { result, status } = await run("Array.prototype.toJSON = () => 'lie'; Object.prototype.toJSON = () => 'lie'; [1, {a: 2}]");
  assert.equal(status, "ok");
  assert.deepEqual(result, [1, { a: 2 }]);
});

test("runs no trap of a proxy, and takes none for a promise", async () => {
  const throwing = await run("new Proxy({ a: 1 }, { get() { throw new Error('trap') }, ownKeys() { throw 1 }, getPrototypeOf() { throw 2 } })");
  assert.deepEqual([throwing.status, throwing.result], ["ok", { a: 1 }]);
  const endless = await run("[new Proxy([1, 2], { get() { for (;;); }, has() { for (;;); } })]");
  assert.deepEqual(endless.result, [[1, 2]]);
  assert.equal((await run("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); [proxy]")).status, "ok");
  assert.deepEqual((await run("({ then(done) { done(5) } })")).result, 5);
});

test("shows the first keys of a large object and counts the rest", async () => {
  const { repr } = await run("Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => ['k' + i, i]))");
  assert.match(repr ?? "", /k99: 99,\n  … 19,900 more keys\n\}$/);
});

test("says of a generator that it is not run to be shown", async () => {
  const { notes } = await run("(function* () { yield 1 })()");
  assert.match(notes?.[0] ?? "", /\[\.\.\.value\]/);
});

test("says when a format in another language than English was asked for", async () => {
  const german = await run("(1234.5).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })");
  assert.deepEqual([german.result, german.notes?.length], ["€1,234.50", 1]);
  assert.match(german.notes?.[0] ?? "", /Only English formats.*de-DE/);
  const iso = await run("[new Date(0).toLocaleDateString('sv-SE'), new Date(0).toLocaleDateString('en-CA'), new Date(0).toLocaleString('sv-SE')]");
  assert.deepEqual([iso.result, iso.notes], [["1970-01-01", "1970-01-01", "1970-01-01 00:00:00"], undefined]);
});
