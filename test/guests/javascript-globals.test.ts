import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./javascript-session.ts";

/** Expressions whose value is to be what Node gives (in English and UTC). */
const SAME_AS_NODE: readonly string[] = [
  "new URL('../b?x=1#h', 'https://user@exämple.com:8080/a/c').href",
  "[...new URLSearchParams('a=1&b=2&a=3%20x')]",
  "const u = new URL('http://h/p?q=1'); u.searchParams.append('q', 'é'); u.port = '81'; u.toString()",
  "URL.canParse('nope')",
  "[...new TextEncoder().encode('hé😀')]",
  "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 104, 0xff, 105]))",
  "new TextDecoder('utf-16le').decode(new Uint8Array([65, 0, 66, 0]))",
  "new TextDecoder('latin1').decode(new Uint8Array([233, 128]))",
  "btoa('héllo') + atob('aGk=')",
  "structuredClone({ m: new Map([[1, { d: new Date(0) }]]), s: new Set([1]), b: new Uint8Array([1, 2]) }).m.get(1).d.getTime()",
  "const c = { a: 1 }; c.self = c; const k = structuredClone(c); [k !== c, k.self === k]",
  "try { structuredClone(() => 1) } catch (e) { [e.name, e instanceof DOMException] }",
  "Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc')))).slice(0, 4)",
  "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
  "crypto.getRandomValues(new Uint16Array(3)).length",
  "const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); c.abort(); c.abort(); [n, c.signal.aborted, c.signal.reason.name]",
  "try { AbortSignal.abort('why').throwIfAborted() } catch (e) { e }",
  "const s = AbortSignal.timeout(5); await new Promise(r => s.addEventListener('abort', () => r(s.reason.name)))",
  "const t = new EventTarget(); const log = []; t.addEventListener('x', e => log.push(e.type, e.detail), { once: true }); t.dispatchEvent(new CustomEvent('x', { detail: 5 })); t.dispatchEvent(new Event('x')); log",
  "const b = new Blob(['ab', new Uint8Array([99])], { type: 'text/plain' }); [b.size, b.type, await b.text(), await b.slice(1, 2).text()]",
  "new File(['x'], 'n.txt').name",
  "Buffer.from('abc').toString('base64') + Buffer.concat([Buffer.from('6162', 'hex')]).toString()",
  "require('node:crypto').createHash('sha256').update('abc').digest('hex')",
  "require('crypto').createHmac('sha1', 'key').update('abc').digest('base64')",
  "require('crypto').createHash('md5').update('').digest('hex')",
  "const path = require('path'); [path.join('a', '../b'), path.extname('x.tar.gz'), path.resolve('/a', 'b'), path.relative('/a/b', '/a/c')]",
  "const { EventEmitter } = require('events'); const e = new EventEmitter(); let got; e.once('x', v => got = v); e.emit('x', 3); e.emit('x', 4); got",
  "const util = require('util'); [util.format('%s=%d', 'a', 1), util.isDeepStrictEqual([1, { a: 2 }], [1, { a: 2 }]), util.types.isDate(new Date())]",
  "await require('util').promisify((a, cb) => cb(null, a + 1))(1)",
  "const assert = require('assert'); try { assert.deepStrictEqual({ a: 1 }, { a: 2 }) } catch (e) { [e.name, e.code] }",
  "const assert = require('assert'); assert.throws(() => { throw new TypeError('x') }, /x/); assert.ok(true); assert.equal(1, '1'); 'passed'",
  "await require('assert').rejects(Promise.reject(new Error('r')), { message: 'r' })",
  "await require('timers/promises').setTimeout(2, 'v')",
  "(1234567.891).toLocaleString()",
  "[0.256, 12, -0.5].map(n => n.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }))",
  "[1234.5, -3, 0.005].map(n => n.toLocaleString('en-US', { style: 'currency', currency: 'USD' }))",
  "new Intl.NumberFormat('en-US', { style: 'currency', currency: 'JPY' }).format(1234.5)",
  "[999, 1234, 15600, 1234567, 2.5e9].map(n => new Intl.NumberFormat('en', { notation: 'compact' }).format(n))",
  "[1.005, 2.345, 1e21, 123456.789].map(n => n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }))",
  "(123456).toLocaleString('en-US', { maximumSignificantDigits: 3 })",
  "(5).toLocaleString('en-US', { minimumIntegerDigits: 2, useGrouping: false })",
  "(12345678901234567890n).toLocaleString('en-US')",
  "new Intl.PluralRules('en', { type: 'ordinal' }).select(22)",
  "new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(['a', 'b', 'c'])",
  "new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')",
  "const d = new Date(Date.UTC(2024, 1, 9, 15, 4, 5)); [d.toLocaleDateString('en-US', { timeZone: 'UTC' }), d.toLocaleDateString('en-GB', { timeZone: 'UTC' })]",
  "new Date(0).toLocaleDateString('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' })",
  "new Date(0).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })",
  "new Date(0).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })",
  "new Date(0).toLocaleDateString('en-US', { year: '2-digit', month: '2-digit', day: '2-digit', timeZone: 'UTC' })",
  "new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(0)",
  "['b', 'a', 'C', 'A', 'ä', 'z'].sort((a, b) => a.localeCompare(b))",
  "['x10', 'x9', 'x1'].sort(new Intl.Collator('en', { numeric: true }).compare)",
];

for (const code of SAME_AS_NODE) {
  test(`gives what Node gives: ${code}`, async () => {
    const { result, error } = await run(code);
    assert.equal(error, undefined);
    const expected = await evaluateInNode(code);
    assert.deepEqual(result ?? null, JSON.parse(JSON.stringify(expected ?? null)));
  });
}

/** Evaluates trusted code of this file: its last statement's value. */
async function evaluateInNode(code: string): Promise<unknown> {
  const { createRequire } = await import("node:module");
  const { runInThisContext } = await import("node:vm");
  const last = code.startsWith("try {") || code.includes("; try {") ? undefined : code.lastIndexOf("; ");
  if (last === undefined) return runInThisContext(`(require) => eval(${JSON.stringify(code)})`)(createRequire(import.meta.url));
  const [head, tail] = last < 0 ? ["", code] : [code.slice(0, last + 1), code.slice(last + 2)];
  return runInThisContext(`async (require) => { ${head} return (${tail}) }`)(createRequire(import.meta.url));
}

/** Expressions that need no twin. */
const VALUES: readonly (readonly [code: string, result: unknown])[] = [
  ["new Date(0).toLocaleTimeString('en-US')", "12:00:00 AM"],
  ["new Date(0).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' })", "Thursday, January 1, 1970 at 12:00 AM"],
  ["new Date(0).toLocaleTimeString('en-GB')", "00:00:00"],
  ["try { new URL('x') } catch (e) { [e.name, e.code, e.message] }", ["TypeError", "ERR_INVALID_URL", "Invalid URL"]],
  ["[process.argv.length, Object.keys(process.env).length, process.cwd()]", [2, 0, "/work"]],
  ["[typeof globalThis.process, typeof globalThis.require, typeof Deno, typeof Bun]", ["undefined", "undefined", "undefined", "undefined"]],
  ["Object.keys(globalThis)", []],
];

for (const [code, result] of VALUES) {
  test(`gives the value of ${code}`, async () => {
    const ran = await run(code);
    assert.equal(ran.error, undefined);
    assert.deepEqual(ran.result, result);
  });
}

test("a time zone that is not inside is refused with what there is", async () => {
  const { error } = await run("new Date().toLocaleString('en-US', { timeZone: 'America/New_York' })");
  assert.equal(error?.type, "RangeError");
  assert.match(error?.message ?? "", /UTC alone/);
});
