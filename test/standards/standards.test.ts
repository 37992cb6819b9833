import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../guests/javascript-session.ts";

/** Behaviour that the standards fix and the guest is held to; each true. Own examples, none of a suite's. */
const HOLDS: Readonly<Record<string, readonly string[]>> = {
  "ECMA-262: values and operators": [
    "Object.is(-0 + 0, 0) && 1 / -0 === -Infinity && NaN !== NaN",
    "0.1 + 0.2 === 0.30000000000000004 && (2n ** 64n).toString() === '18446744073709551616'",
    "(1.005).toFixed(2) === '1.00' && (25).toString(36) === 'p' && Number('0b101') === 5 && Number(' ') === 0",
    "(null ?? 1) === 1 && (0 || 2) === 2 && undefined?.a === undefined",
    "[...'a\\u{1F600}b'].length === 3 && 'ß'.toUpperCase() === 'SS' && '\\u0041\\u030a'.normalize() === '\\u00c5'",
  ],
  "ECMA-262: functions, classes, generators": [
    "(() => { class A { #x = 1; static #n = 0; static { A.#n += 2 } get x() { return this.#x } static has(o) { return #x in o } static n() { return A.#n } } return new A().x === 1 && A.has(new A()) && !A.has({}) && A.n() === 2 })()",
    "(() => { function* g() { try { yield 1; yield 2 } finally { g.done = true } } for (const n of g()) break; return g.done })()",
    "((a, b = a + 1, ...c) => a + b + c.length)(1, undefined, 3, 4) === 5 && ((a, b = 1) => 0).length === 1",
    "(() => { let log = ''; const o = { get [(log += 'k', 'a')]() { return 1 } }; return log === 'k' && o.a === 1 })()",
    "(() => { try { x; let x = 1 } catch (error) { return error instanceof ReferenceError } })()",
  ],
  "ECMA-262: iteration, promises, proxies": [
    "Object.entries(Object.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even')).join(';') === 'odd,1,3;even,2'",
    "new Set([1, 2, 3]).intersection(new Set([2, 3])).size === 2 && Iterator.from([1, 2, 3]).filter((n) => n > 1).toArray().join() === '2,3'",
    "(await Promise.allSettled([1, Promise.reject(2)])).map((r) => r.status).join() === 'fulfilled,rejected'",
    "(await Promise.any([Promise.reject(1), Promise.resolve(2)])) === 2 && (await Promise.race([new Promise(() => {}), 3])) === 3",
    "(() => { const seen = []; const p = new Proxy({}, { get: (t, k) => (seen.push(k), 1), has: () => true }); return p.a === 1 && 'z' in p && seen.join() === 'a' })()",
    "(() => { const a = [3, 1, 2]; return a.toSorted().join() === '1,2,3' && a.with(0, 9).join() === '9,1,2' && a.at(-1) === 2 && a.findLast((n) => n > 1) === 2 })()",
  ],
  "ECMA-262: text, regular expressions, dates, JSON": [
    "'2024-02-29'.replace(/(?<y>\\d+)-(?<m>\\d+)-(?<d>\\d+)/, '$<d>.$<m>.$<y>') === '29.02.2024' && /(?<=\\$)\\d+/.exec('cost $42')[0] === '42'",
    "[...'a1b22'.matchAll(/[a-z](\\d+)/g)].map((m) => m[1]).join() === '1,22' && /^\\p{Lu}\\p{Ll}+$/u.test('Élan') && /[\\p{L}--[a-z]]/v.test('É')",
    "new Date('2024-02-30T00:00:00Z').toISOString() === '2024-03-01T00:00:00.000Z' || Number.isNaN(new Date('2024-02-30T00:00:00Z').getTime())",
    "new Date(2024, 1, 29).getDate() === 29 && Date.UTC(1970, 0, 1) === 0 && new Date(8.64e15 + 1).getTime() !== new Date(8.64e15 + 1).getTime()",
    "JSON.stringify({ a: [undefined, () => 1, NaN], b: undefined, c: new Date(0) }) === '{\"a\":[null,null,null],\"c\":\"1970-01-01T00:00:00.000Z\"}'",
    "JSON.parse('[1,{\"a\":null}]', (k, v) => v === null ? 0 : v)[1].a === 0 && JSON.stringify('\\ud800') === '\"\\\\ud800\"'",
  ],
  "the URL and Encoding Standards": [
    "new URL('../b?q=ü#f', 'http://Example.com:80/a/c').href === 'http://example.com/b?q=%C3%BC#f' && !URL.canParse('http://a b/')",
    "new URL('http://[::1]:8080/').host === '[::1]:8080' && new URL('http://0x7f.1/').hostname === '127.0.0.1' && new URL('http://faß.de/').hostname === 'xn--fa-hia.de'",
    "new URLSearchParams('a=1&a=2&b=%20+').getAll('a').join() === '1,2' && new URLSearchParams({ x: 'é &' }).toString() === 'x=%C3%A9+%26'",
    "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac, 0xff])) === '€\\ufffd' && new TextDecoder('latin1').decode(new Uint8Array([0x80])) === '€'",
    "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xc0])) } catch (error) { return error instanceof TypeError } })()",
    "(() => { const d = new TextDecoder('utf-16le'); return d.decode(new Uint8Array([0x3d]), { stream: true }) + d.decode(new Uint8Array([0xd8, 0x00, 0xde])) === '😀' })()",
    "new TextEncoder().encodeInto('a€', new Uint8Array(3)).read === 1 && btoa('\\u00ff') === '/w==' && atob(' YQ == ') === 'a'",
  ],
  "the DOM, HTML, File and Web Crypto standards": [
    "(() => { const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return n === 1 })()",
    "(() => { const e = new Event('x', { cancelable: true }); e.preventDefault(); return e.defaultPrevented && !new EventTarget().dispatchEvent(e) })()",
    "(() => { const c = new AbortController(); const s = AbortSignal.any([c.signal]); c.abort('why'); return s.aborted && s.reason === 'why' && new AbortController().signal.aborted === false })()",
    "(() => { const a = { d: new Date(0), m: new Map([[1, new Set([2])]]), h: [1, , 3] }; a.self = a; const b = structuredClone(a); return b.self === b && b.m.get(1).has(2) && !(1 in b.h) && b.d.getTime() === 0 })()",
    "(() => { try { structuredClone(() => 1) } catch (error) { return error instanceof DOMException && error.name === 'DataCloneError' && error.code === 25 } })()",
    "(await new Blob(['a', new Uint8Array([98])]).slice(1).text()) === 'b' && new Blob([], { type: 'Text/Plain' }).type === 'text/plain'",
    "new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array())).toHex().startsWith('e3b0c44298fc1c149afbf4c8996fb924') && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(crypto.randomUUID())",
    "(await (async () => { const order = []; setTimeout(() => order.push('t')); queueMicrotask(() => order.push('m')); Promise.resolve().then(() => order.push('p')); order.push('s'); await new Promise((done) => setTimeout(done, 5)); return order.join('') })()) === 'smpt'",
  ],
};

for (const [standard, claims] of Object.entries(HOLDS)) {
  test(`holds to ${standard}`, async () => {
    for (const claim of claims) {
      const { result, error } = await run(claim);
      assert.equal(result, true, `${claim}: ${error?.message}`);
    }
  });
}
