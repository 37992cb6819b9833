import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { openSession } from "./session.ts";

/** Code, and the value it is to have; undefined for none. */
const VALUES: readonly (readonly [title: string, code: string, result: unknown])[] = [
  ["an int", "6 * 7", 42],
  ["an int at the edge of doubles", "[2**53, -2**53]", [9007199254740992, -9007199254740992]],
  ["an int beyond doubles", "[2**53 + 1, 10**30]", ["9007199254740993", "1000000000000000000000000000000"]],
  ["an int of more digits than str allows elsewhere", "len(str(10**5000)), 10**5000 % 7", [5001, 2]],
  ["floats that JSON has no word for", "[float('nan'), float('inf'), -float('inf')]", ["NaN", "Infinity", "-Infinity"]],
  ["truth", "[True, False]", [true, false]],
  ["nothing", "None", undefined],
  ["an empty string", "''", ""],
  ["Decimal and Fraction", "import decimal, fractions\n[decimal.Decimal('0.10'), fractions.Fraction(1, 3)]", ["0.10", "1/3"]],
  [
    "dates and times",
    "import datetime as d\n[d.date(2024, 1, 2), d.time(3, 4), d.datetime(2024, 1, 2, 3, 4, tzinfo=d.timezone.utc)]",
    ["2024-01-02", "03:04:00", "2024-01-02T03:04:00+00:00"],
  ],
  ["bytes", "[b'hi', bytearray(b'hi'), memoryview(b'hi')]", [{ $bytes: "aGk=" }, { $bytes: "aGk=" }, { $bytes: "aGk=" }]],
  ["tuples and ranges", "(1, (2, range(3)))", [1, [2, [0, 1, 2]]]],
  ["sets of what can be sorted", "[{3, 1, 2}, frozenset('cab')]", [[1, 2, 3], ["a", "b", "c"]]],
  ["views and deques", "import collections\n[{1: 2}.keys(), {1: 2}.items(), collections.deque([1])]", [[1], [[1, 2]], [1]]],
  ["a named tuple", "import collections\ncollections.namedtuple('P', 'x y')(1, 2)", { x: 1, y: 2 }],
  ["a dataclass in a dataclass", "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: object\nA(A(1))", { x: { x: 1 } }],
  ["dicts of other kinds", "import collections\n[collections.Counter('aab'), collections.ChainMap({'a': 1})]", [{ a: 2, b: 1 }, { a: 1 }]],
  ["keys that are no strings", "{1: 'a', (1, 2): 'b', None: 'c', 1.5: 'd'}", { 1: "a", "(1, 2)": "b", None: "c", 1.5: "d" }],
  ["keys that only look alike", "list({1: 'a', '1': 'b'}.items()), len({1: 'a', '1': 'b'})", [[[1, "a"], ["1", "b"]], 2]],
  ["a cycle", "x = [1]; x.append(x); x", [1, "<cycle>"]],
  ["a shared part, which is no cycle", "x = [1]; [x, x]", [[1], [1]]],
  ["a lone surrogate", "'a\\ud83db'", "a\\ud83db"],
  ["an enum", "import enum\nclass C(enum.Enum):\n    R = 1\nC.R", "<C.R: 1>"],
  ["an exception as a value", "ValueError('x')", "ValueError('x')"],
  ["a repr that raises", "class B:\n    def __repr__(self):\n        raise ValueError\n[B()]", ["<B whose repr raised ValueError>"]],
  ["a repr that lies", "class B:\n    def __repr__(self):\n        return 5\nB()", "<B whose repr raised TypeError>"],
  ["classes that claim to be others", "class B:\n    def __init__(self, c): self.c = c\n    __class__ = property(lambda self: self.c)\n    def __repr__(self):\n        return 'b'\n[B(dict), B(int), B(str), B(float), B(bytes), B(list)]", ["b", "b", "b", "b", "b", "b"]],
  ["a class that can't be asked what it is", "class B:\n    @property\n    def __class__(self):\n        raise ValueError\n    def __repr__(self):\n        return 'b'\n[B(), {'k': B()}]", ["b", { k: "b" }]],
  ["a dict whose items lie", "class D(dict):\n    def items(self):\n        raise ValueError\nD(a=1)", { a: 1 }],
  ["numpy's scalars", "import numpy as np\n[np.int64(5), np.float32(0.5), np.bool_(True), np.float64('nan'), np.str_('s')]", [5, 0.5, true, "NaN", "s"]],
  ["arrays", "import numpy as np\n[np.arange(4).reshape(2, 2), np.array(['2024-01-02'], dtype='M8[D]'), np.array([])]", [[[0, 1], [2, 3]], ["2024-01-02"], []]],
  ["a masked array", "import numpy as np\nnp.ma.array([1, 2], mask=[False, True])", [1, null]],
  ["an index and a series", "import pandas as pd\n[pd.Index([1, 2]), pd.Series([1.5], name='s')]", [[1, 2], { name: "s", data: [1.5] }]],
  [
    "a frame with what is missing",
    "import pandas as pd\npd.DataFrame({'n': [1.5, None], 's': ['x', None], 't': pd.to_datetime(['2024-01-02', None]), 'i': pd.array([1, None], dtype='Int64')})",
    { columns: ["n", "s", "t", "i"], data: [[1.5, "x", "2024-01-02T00:00:00", 1], ["NaN", null, null, null]] },
  ],
  ["a frame with an index of its own", "import pandas as pd\npd.DataFrame({'v': [1]}, index=['x'])", { columns: ["v"], data: [[1]], index: ["x"] }],
  ["an empty frame", "import pandas as pd\npd.DataFrame()", { columns: [], data: [] }],
];

for (const [title, code, result] of VALUES) {
  test(`gives as JSON: ${title}`, async () => {
    using session = await openSession(code);
    const told = await session.run(code);
    assert.deepEqual([told.error, told.result], [undefined, result]);
  });
}

test("tells how many rows of a long frame are shown", async () => {
  using session = await openSession("import pandas");
  const told = await session.run("import pandas as pd\npd.DataFrame({'a': range(10_000)})");
  assert.match(told.repr ?? "", /… 9,990 more rows$/);
  const { data, rows } = z.object({ data: z.array(z.unknown()), rows: z.number() }).parse(told.result);
  assert.deepEqual([data.length, rows], [1_000, 10_000]);
});

test("cuts what is long, deep or big, and says so", async () => {
  using session = await openSession();
  const long = await session.run("list(range(20_000))");
  assert.equal(JSON.stringify(long.result).endsWith('"… 10,000 more items"]'), true);
  assert.match(long.repr ?? "", /… 19,900 more items\]$/);
  assert.equal(long.notes?.length, 1);
  const deep = await session.run("x = 0\nfor _ in range(100_000):\n    x = [x]\nx");
  assert.match(JSON.stringify(deep.result), /nested too deep/);
  const text = await session.run("'a' * 300_000");
  assert.match(String(text.result), /… 200,000 more characters$/);
  const wide = await session.run("[['x' * 1_000] * 1_000] * 1_000");
  assert.ok(JSON.stringify(wide.result).length < 1_100_000);
});
