import assert from "node:assert/strict";
import { test } from "node:test";
import { isUnfinished } from "../../src/cli/unfinished.ts";

const PYTHON: readonly (readonly [code: string, unfinished: boolean])[] = [
  ["1 + 1", false],
  ["f(1,", true],
  ["f(1,\n2)", false],
  ["x = '('", false],
  ["x = 1  # (", false],
  ["if x:", true],
  ["if x:\n    y", true],
  ["if x:\n    y\n", false],
  ["@cache", true],
  ["async def f():\n    pass", true],
  ["classes = 1", false],
  ["'''a", true],
  ["'''a\n'''", false],
  ['x = """(\n"""', false],
  ["x = 1 + \\", true],
  ["x = 1 + \\\n2", false],
  ["print('it\\'s (')", false],
];
const JAVASCRIPT: typeof PYTHON = [
  ["1 + 1", false],
  ["function f() {", true],
  ["function f() {\n}", false],
  ["`a", true],
  ["`a\n`", false],
  ["/* (", true],
  ["/* ( */ 1", false],
  ["// (", false],
  ["'\\'{'", false],
  ["/[(]/.test(x)", true],
  ["/[(]/.test(x)\n", false],
];

test("code that waits for more is told from code that can run", () => {
  for (const [code, unfinished] of PYTHON) assert.equal(isUnfinished("python", code), unfinished, code);
  for (const [code, unfinished] of JAVASCRIPT) assert.equal(isUnfinished("javascript", code), unfinished, code);
});
