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
  ["of code in a fence amid prose", "Here is the code:\n\n```python\nx = 20\nx + 1\n```\nIt prints nothing.", 21],
  ["not of a fence that the code quotes", 'text = """\n```python\n1 + 1\n```\n"""\ntext.count("`")', 6],
  ["of a pasted session", ">>> x = [\n...     20]\n>>> x[0] + 1\n21", 21],
  ["of a notebook's pasted cells", "In [1]: x = 20\nIn [2]: x + 1", 21],
  ["whose class is a property that raises", "type('T', (), {'__class__': property(lambda self: 1 / 0), '__repr__': lambda self: 'T!'})()", "T!"],
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

test("shows what is displayed amid a turn, as a notebook does, also to code that asks IPython for it", async () => {
  using session = await openSession();
  const told = await session.run("from IPython.display import Markdown, display as show\nshow(Markdown('# hi'))\ndisplay({'a': [1]}, 'text')\n7");
  assert.deepEqual([told.stdout, told.result], ["# hi\n{'a': [1]}\n'text'\n", 7]);
  const drawn = await session.run("from PIL import Image\ndisplay(Image.new('RGB', (9, 9)))\nImage.new('RGB', (9, 9)).show()");
  assert.deepEqual([drawn.pictures.length, drawn.stdout], [2, ""]);
  const library = await session.run("import tqdm.auto, pandas\n'IPython' in tqdm.auto.__dict__");
  assert.equal(library.result, false);
});
