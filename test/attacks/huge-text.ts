import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

const caught: Check = ({ result }) => assert.equal(result, "caught");

export const attacks: readonly Attack[] = [
  { title: "makes a text of a gigabyte", language: "python", code: "'x' * 10**9", status: "out_of_memory" },
  { title: "makes a byte array of two gigabytes", language: "python", code: "bytearray(2**31)", status: "error" },
  { title: "catches that a byte array does not fit", language: "python", code: "try: bytearray(2**30)\nexcept MemoryError: x = 'caught'\nx", status: "ok", also: caught },
  { title: "doubles a text for ever", language: "python", code: "s = 'x'\nwhile True: s += s", status: "out_of_memory" },
  { title: "pads a text to two gigabytes", language: "python", code: "'x'.ljust(2**31 - 1)", status: "out_of_memory" },
  { title: "joins a text with itself a billion times", language: "python", code: "'x'.join(['y' * 10**6] * 10**5)", status: "error" },
  { title: "replaces each letter by a megabyte", language: "python", code: "('x' * 10**5).replace('x', 'y' * 10**6)", status: "error" },
  { title: "returns a text of fifty megabytes", language: "python", code: "'x' * 50_000_000", status: "ok", also: ({ repr, result }) => assert.ok(String(repr).length < 200_000 && JSON.stringify(result).length < 1_100_000) },
  { title: "returns a text of lone surrogates", language: "python", code: "'\\ud800' * 1000", status: "ok" },
  { title: "raises an error with a message of fifty megabytes", language: "python", code: "raise ValueError('x' * 50_000_000)", status: "error", also: ({ error }) => assert.ok((error?.message.length ?? 0) < 10_000) },
  { title: "names a class with ten megabytes", language: "python", code: "raise type('E' * 10_000_000, (Exception,), {})('x')", status: "error", also: ({ error }) => assert.ok((error?.type.length ?? 0) < 10_000) },
  { title: "makes a text of a gigabyte", language: "javascript", code: "'x'.repeat(2 ** 29) + 'x'.repeat(2 ** 29)", status: "out_of_memory" },
  { title: "doubles a text for ever", language: "javascript", code: "let s = 'x'; for (;;) s += s", status: "error" },
  { title: "catches that a text does not fit", language: "javascript", code: "let x; try { 'x'.repeat(2 ** 29) } catch { x = 'caught' } x", status: "ok", also: caught },
  { title: "replaces each letter by a megabyte", language: "javascript", code: "'x'.repeat(1e5).replaceAll('x', 'y'.repeat(1e6))", timeoutMs: 1_000, status: ["out_of_memory", "error", "timeout"] },
  { title: "returns a text of twenty megabytes", language: "javascript", code: "'x'.repeat(2e7)", status: "ok", also: ({ repr, result }) => assert.ok(String(repr).length < 1_100_000 && JSON.stringify(result).length < 1_100_000) },
  { title: "returns a text of lone surrogates", language: "javascript", code: "'\\ud800'.repeat(1000)", status: "ok" },
  { title: "throws an error with a message of twenty megabytes", language: "javascript", code: "throw new Error('x'.repeat(2e7))", status: "error", also: ({ error }) => assert.ok((error?.message.length ?? 0) < 10_000) },
  { title: "names an error with twenty megabytes", language: "javascript", code: "const e = new Error('x'); e.name = 'x'.repeat(2e7); throw e", timeoutMs: 1_000, status: ["error", "timeout"], also: ({ error }) => assert.ok((error?.type.length ?? 0) < 10_000) },
];
