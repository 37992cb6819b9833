import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

const is =
  (name: string): Check =>
  ({ error }) =>
    assert.equal(error?.type, name);

export const attacks: readonly Attack[] = [
  { title: "calls itself for ever", language: "python", code: "def f(): f()\nf()", status: "error", also: is("RecursionError") },
  { title: "raises the recursion limit and calls itself for ever", language: "python", code: "import sys\nsys.setrecursionlimit(2**31 - 1)\ndef f(): f()\nf()", timeoutMs: 1_000, status: ["error", "out_of_memory", "timeout"] },
  { title: "recurses through C with a raised limit", language: "python", code: "import sys\nsys.setrecursionlimit(10**8)\ndef f(x): return max([1, 2], key=f)\nf(1)", status: "error" },
  { title: "recurses through __getattr__", language: "python", code: "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().x", status: "error", also: is("RecursionError") },
  { title: "recurses through repr", language: "python", code: "class A:\n    def __repr__(self): return repr(self)\nA()", status: "ok" },
  { title: "recurses through comparison", language: "python", code: "import sys\nsys.setrecursionlimit(10**8)\nclass A:\n    def __eq__(self, o): return [self] == [A()]\nA() == 1", status: "error" },
  { title: "catches each recursion error and recurses again", language: "python", code: "def f():\n    try: f()\n    except RecursionError: f()\nf()", timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "recurses in generators", language: "python", code: "def g(): yield from g()\nlist(g())", status: "error", also: is("RecursionError") },
  { title: "imports modules that import each other deeply", language: "python", code: "import sys\nfor i in range(3000): open(f'/tmp/m{i}.py', 'w').write(f'import m{i+1}')\nsys.path.append('/tmp')\nimport m0", timeoutMs: 1_000, status: ["error", "timeout", "out_of_memory"] },
  { title: "calls itself ten thousand times and returns", language: "javascript", code: "const f = (n) => n === 0 ? 0 : 1 + f(n - 1); f(10000)", status: "ok", also: ({ result }) => assert.equal(result, 10_000) },
  { title: "calls itself for ever", language: "javascript", code: "const f = () => f() + 1; f()", status: "error", also: is("RangeError") },
  { title: "catches that the stack ran out", language: "javascript", code: "let n = 0; const f = () => { n += 1; f() }; try { f() } catch (e) { n = e instanceof RangeError } n", status: "ok", also: ({ result }) => assert.equal(result, true) },
  { title: "catches and recurses again", language: "javascript", code: "const f = () => { try { f() } catch { f() } }; f()", timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "recurses through a getter", language: "javascript", code: "const o = { get x() { return this.x } }; o.x", status: "error", also: is("RangeError") },
  { title: "recurses through toString", language: "javascript", code: "const o = { toString() { return `${o}` } }; `${o}`", status: "error", also: is("RangeError") },
  { title: "recurses through a replacer of JSON", language: "javascript", code: "const f = () => JSON.stringify({ a: 1 }, f); f()", status: "error", also: is("RangeError") },
  { title: "recurses through sort", language: "javascript", code: "const f = () => [1, 2].sort(f); f()", status: "error", also: is("RangeError") },
  { title: "recurses through a proxy", language: "javascript", code: "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x", status: "error", also: is("RangeError") },
  { title: "recurses through a constructor", language: "javascript", code: "class A { constructor() { new A() } }; new A()", status: "error", also: is("RangeError") },
  { title: "recurses with a thousand arguments", language: "javascript", code: "const f = (...a) => f(...a); f(...new Array(1000))", timeoutMs: 2_000, status: ["error", "out_of_memory", "timeout"] },
  { title: "recurses through eval", language: "javascript", code: "const f = () => eval('f()'); f()", timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "recurses through a regular expression's replace", language: "javascript", code: "const f = () => 'a'.replace(/a/, f); f()", status: "error", also: is("RangeError") },
  { title: "recurses in an async function", language: "javascript", code: "const f = async () => { await f() }; await f()", timeoutMs: 1_000, status: ["error", "timeout", "out_of_memory"] },
];
