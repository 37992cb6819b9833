import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

const LAST: readonly (readonly [title: string, code: string, result: unknown])[] = [
  ["after semicolons", "x = 1; x += 1; x", 2],
  ["not of an assignment", "x = 1", undefined],
  ["not of a print", "print(1)", undefined],
  ["of a walrus", "(y := 5)", 5],
  ["of a lone docstring", '"""text"""', "text"],
  ["of the last line, though comments follow", "1 + 1  # two\n# end", 2],
  ["not behind a last semicolon", "x = 5\nx;", undefined],
  ["behind a semicolon in a comment or a string", "'a;'  # b;", "a;"],
  ["not of a block", "if True:\n    5", undefined],
  ["awaited", "import asyncio\nawait asyncio.sleep(0, 'done')", "done"],
  ["of a forgotten await", "async def f():\n    return 1\nf()", 1],
  ["of an async comprehension", "async def g():\n    yield 1\n    yield 2\n[x async for x in g()]", [1, 2]],
  ["of pasted, indented code", "    x = 1\n    if x:\n        x = 2\n    x", 2],
  ["of code whose continuation is not indented", "    x = [1,\n  2]\n    x", [1, 2]],
  ["of code in a fence", "```python\nx = 20\nx + 1\n```\n", 21],
  ["of code in a fence with no closing one", "```py\n40 + 2", 42],
  ["of code from Windows", "\ufeffx = 1\r\nx + 1\r\n", 2],
  ["beside a future import", "from __future__ import annotations\ndef f(a: Undefined): return a\nf(1)", 1],
  ["of code with a harmless magic", "%matplotlib inline\n3", 3],
  ["of code that installs what is here", "!pip install numpy pandas>=2\n4", 4],
  ["of a timed line", "%time 2 + 3", 5],
  ["of nothing at all", "", undefined],
  ["of a comment", "# only this", undefined],
];

for (const [title, code, result] of LAST) {
  test(`takes the last expression: ${title}`, async () => {
    using session = await openSession();
    const told = await session.run(code);
    assert.deepEqual([told.error, told.result], [undefined, result]);
  });
}

test("says that an iterator is not run to be shown", async () => {
  using session = await openSession();
  const told = await session.run("it = iter([1, 2]); it");
  assert.match(told.notes?.[0] ?? "", /list\(/);
  assert.equal((await session.run("next(it)")).result, 1);
});

test("keeps names, closures, tasks and future flags from turn to turn", async () => {
  using session = await openSession();
  await session.run("from __future__ import annotations\nimport asyncio\nseen = []\nasync def later():\n    await asyncio.sleep(0.01)\n    seen.append(1)\ntask = asyncio.ensure_future(later())");
  const told = await session.run("def f(a: Nowhere): pass\nawait task\nseen");
  assert.deepEqual([told.error, told.result], [undefined, [1]]);
});
