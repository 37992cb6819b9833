import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

const small: Check = ({ repr, result, stdout }) =>
  assert.ok(JSON.stringify({ repr, result, stdout }).length < 3_500_000, "the answer is bounded");

export const attacks: readonly Attack[] = [
  { title: "makes a list of a billion", language: "python", code: "[0] * 10**9", status: "out_of_memory" },
  { title: "makes a million lists", language: "python", code: "a = [[] for _ in range(10**6)]\nlen(a)", timeoutMs: 1_000, status: ["ok", "out_of_memory", "timeout"] },
  { title: "makes lists until none fits", language: "python", code: "a = []\nwhile True: a.append([0] * 100_000)", status: "out_of_memory" },
  { title: "catches each failed allocation and tries on", language: "python", code: "a = []\nn = 0\nwhile n < 1000:\n    try: a.append(bytearray(10**7))\n    except MemoryError: n += 1\nn", status: ["ok", "out_of_memory"] },
  { title: "fills memory to the last byte and then fails", language: "python", code: "a = []\nstep = 2**24\nwhile step:\n    try: a.append(bytearray(step))\n    except MemoryError: step //= 2\n1/0", status: ["error", "out_of_memory"] },
  { title: "fills memory to the last byte and loops", language: "python", code: "a = []\nstep = 2**24\nwhile step:\n    try: a.append(bytearray(step))\n    except MemoryError: step //= 2\nwhile True: pass", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "returns a list of a million", language: "python", code: "list(range(10**6))", status: "ok", also: small },
  { title: "returns a dictionary of a million keys", language: "python", code: "dict.fromkeys(range(10**6))", status: "ok", also: small },
  { title: "returns a list of lists that share a list", language: "python", code: "a = []\nfor _ in range(40): a = [a] * 1000\na", status: "ok", also: small },
  { title: "returns keys of ten megabytes", language: "python", code: "{'x' * 10**7 + str(i): i for i in range(20)}", timeoutMs: 1_000, status: ["ok", "timeout"], also: small },
  { title: "makes an array of the greatest length", language: "javascript", code: "const a = new Array(4294967295); a[4294967294] = 1; a", status: "ok", also: small },
  { title: "returns a sparse array", language: "javascript", code: "const a = []; a[4294967290] = 1; a", status: "ok", also: small },
  { title: "returns an object that says it is long", language: "javascript", code: "({ length: 2 ** 53 - 1 })", status: "ok", also: small },
  { title: "returns a million keys", language: "javascript", code: "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i; o", timeoutMs: 1_000, status: ["ok", "timeout"], also: small },
  { title: "returns an array of a million", language: "javascript", code: "Array.from({ length: 1e6 }, (_, i) => i)", timeoutMs: 1_000, status: ["ok", "timeout"], also: small },
  { title: "returns arrays that share an array", language: "javascript", code: "let a = []; for (let i = 0; i < 40; i++) a = new Array(1000).fill(a); a", timeoutMs: 1_000, status: ["ok", "timeout"], also: small },
  { title: "returns keys of a megabyte", language: "javascript", code: "Object.fromEntries(Array.from({ length: 20 }, (_, i) => ['x'.repeat(1e6) + i, i]))", timeoutMs: 1_000, status: ["ok", "timeout", "out_of_memory"], also: small },
  { title: "fills memory with arrays", language: "javascript", code: "const a = []; for (;;) a.push(new Array(1000).fill(1))", status: "out_of_memory" },
  { title: "catches each failed allocation and tries on", language: "javascript", code: "const a = []; let n = 0; while (n < 1000) try { a.push(new Uint8Array(1e7)) } catch { n++ } n", timeoutMs: 1_000, status: ["ok", "out_of_memory", "timeout"] },
  { title: "fills memory to the last byte and then fails", language: "javascript", code: "const a = []; let step = 2 ** 24; while (step >= 1) try { a.push(new Uint8Array(step)) } catch { step /= 2 }\nnull.x", timeoutMs: 1_000, status: ["error", "out_of_memory", "timeout"] },
];
