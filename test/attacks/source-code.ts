import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "is a hundred thousand brackets deep", language: "python", code: "[".repeat(100_000), status: "error" },
  { title: "is three hundred thousand minus signs", language: "python", code: `${"-".repeat(300_000)}1`, status: "error" },
  { title: "is two hundred thousand lines", language: "python", code: "x = 1\n".repeat(150_000), timeoutMs: 1_000, status: ["ok", "timeout", "out_of_memory"] },
  { title: "has one line of a megabyte", language: "python", code: `x = '${"y".repeat(1_000_000)}'\nlen(x)`, status: "ok" },
  { title: "indents a thousand times", language: "python", code: Array.from({ length: 90 }, (_, depth) => `${" ".repeat(depth)}if 1:`).join("\n"), status: "error" },
  { title: "nests f-strings", language: "python", code: `${"f'{".repeat(500)}1${"}'".repeat(500)}`, status: "error" },
  { title: "holds null bytes", language: "python", code: "1\0\n2", status: "error" },
  { title: "declares an encoding", language: "python", code: "# -*- coding: utf-7 -*-\n+AHgAIAA9ACAAMQ-", status: "error" },
  { title: "is a huge constant fold", language: "python", code: "'x' * 4000 * 4000 * 4000", status: "error" },
  { title: "is a hundred thousand brackets deep", language: "javascript", code: "[".repeat(100_000), timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "is a hundred thousand balanced parentheses deep", language: "javascript", code: `${"(".repeat(100_000)}1${")".repeat(100_000)}`, timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "is three hundred thousand exclamation marks", language: "javascript", code: `${"!".repeat(300_000)}1`, timeoutMs: 1_000, status: ["error", "ok", "timeout", "out_of_memory"] },
  { title: "is two hundred thousand lines", language: "javascript", code: "x = 1\n".repeat(150_000), timeoutMs: 1_000, status: ["ok", "timeout", "out_of_memory"] },
  { title: "nests templates", language: "javascript", code: `${"`${".repeat(2_000)}1${"}`".repeat(2_000)}`, timeoutMs: 1_000, status: ["error", "ok", "timeout"] },
  { title: "is an arrow chain that may be types", language: "javascript", code: `${"(a: ".repeat(3_000)}number${") => 1".repeat(3_000)}`, timeoutMs: 1_000, status: ["error", "timeout", "ok"] },
  { title: "nests generics that may be comparisons", language: "javascript", code: `f${"<a".repeat(5_000)}${">".repeat(5_000)}(1)`, timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "holds null bytes", language: "javascript", code: "1\0\n2", status: "error" },
];
