import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

/** Computations in 32 bits, `t` being the type, whose results do and don't fit: the last that fits, the first that doesn't. */
const COMPUTATIONS: readonly (readonly [title: string, over: string, fits: string])[] = [
  ["add", "A([2**31 - 1]) + A([1])", "A([2**31 - 2]) + A([1])"],
  ["subtract", "A([-2**31]) - A([1])", "A([-2**31]) - A([0])"],
  ["multiply", "A([46341]) * A([46341])", "A([46340]) * A([46340])"],
  ["multiply by a plain integer, broadcast", "A([1, 2])[:, None] * 1_100_000_000", "A([1, 2])[:, None] * 1_000_000_000"],
  ["square", "A([1, 46341]) ** 2", "A([1, -46340]) ** 2"],
  ["power", "np.power(A([2]), A([31]))", "np.power(A([2, -2, 1, -1, 0]), A([30, 31, 99, 99, 99]))"],
  ["shift", "np.left_shift(A([1]), A([31]))", "np.left_shift(A([1, 0]), A([30, 99]))"],
  ["a sum", "np.add.reduce(A([2**31 - 1, 5]))", "np.add.reduce(A([2**31 - 1, 5, -9]))"],
  ["a running sum", "np.add.accumulate(A([2**31 - 1, 5, -9]))", "np.add.accumulate(A([2**31 - 1, -5, 5]))"],
  ["a product", "np.multiply.reduce(np.arange(1, 14, dtype=t))", "np.multiply.reduce(np.arange(1, 13, dtype=t))"],
  ["a running product", "np.multiply.accumulate(np.arange(1, 14, dtype=t))", "np.multiply.accumulate(np.arange(1, 13, dtype=t))"],
  ["dot", "A([50_000, 50_000]).dot(A([50_000, 50_000]))", "A([30_000, 30_000]).dot(A([30_000, 30_000]))"],
  ["vdot", "np.vdot(A([50_000, 50_000]), A([50_000, 50_000]))", "np.vdot(A([30_000]), A([30_000]))"],
  ["inner", "np.inner(A([50_000, 50_000]), A([50_000, 50_000]))", "np.inner(A([30_000]), A([30_000]))"],
  ["a product of matrices", "np.full((3, 3), 30_000, t) @ np.full((3, 3), 30_000, t)", "np.full((2, 2), 30_000, t) @ np.full((2, 2), 30_000, t)"],
  ["a convolution", "np.convolve(A([50_000, 50_000]), A([50_000]))", "np.convolve(A([30_000]), A([30_000]))"],
  ["in place", "B.__imul__(2)", "B.__imul__(1)"],
];

const program = (type: string, code: string): string =>
  `import numpy as np\nt = np.${type}\ndef A(values): return np.array(values, dtype=t)\nB = A([2**30])\n${code}\nNone`;

for (const [title, over, fits] of COMPUTATIONS) {
  test(`tells with its line that 32-bit integers overflowed, and only then: ${title}`, async () => {
    using session = await openSession();
    for (const type of ["int32", "intc", "intp"]) {
      const told = await session.run(program(type, over));
      assert.match(told.stderr, /<code(?: \d)?>:5: RuntimeWarning: int32 array overflowed/, `${type}: ${over}`);
      const quiet = await session.run(program(type, fits));
      assert.deepEqual([quiet.status, quiet.stderr], ["ok", ""], `${type}: ${fits}`);
    }
  });
}

test("tells of an overflow in what libraries return", async () => {
  using session = await openSession("import sklearn");
  const made = [
    "from sklearn.cluster import KMeans\nimport numpy as np\nk = KMeans(2, n_init=1, random_state=0).fit(np.array([[0.0], [9.0]])).labels_",
    "import pandas as pd\nk = pd.factorize(pd.Series([3, 1]))[0]",
    "import scipy.ndimage as nd\nk = nd.label([1, 0, 1])[0]",
    "from sklearn.preprocessing import LabelEncoder\nk = LabelEncoder().fit_transform(['a', 'b'])",
  ];
  for (const code of made) {
    const told = await session.run(`${code}\n(k + 1) * 2_000_000_000`, 20_000);
    assert.match(told.stderr, /RuntimeWarning: int32 array overflowed.*\n {2}\(k \+ 1\) \* 2_000_000_000\n$/, code);
  }
});

test("tells of an overflow once a line, as an error where warnings are errors, and not where it is meant", async () => {
  using session = await openSession();
  const begin = "import numpy as np, warnings\na = np.array([2**31 - 1], dtype=np.int32)\n";
  const once = await session.run(`${begin}for i in range(9):\n    a * 2\na * 3`);
  assert.deepEqual(once.stderr.match(/<code>:\d/g), ["<code>:4", "<code>:5"]);
  const raised = await session.run(`${begin}with warnings.catch_warnings():\n    warnings.simplefilter('error')\n    try: a * 2\n    except RuntimeWarning as e: caught = True\ncaught`);
  assert.deepEqual([raised.result, raised.stderr], [true, ""]);
  const meant = await session.run(`${begin}with np.errstate(over='ignore'):\n    b = a * 2\nnp.uint32(4e9) * np.array([2], np.uint32)`);
  assert.equal(meant.stderr, "");
  const many = await session.run("b = np.full(1_000_000, 3, np.int32)\nb[999_999] = 2**30\nb * b\nNone");
  assert.match(many.stderr, /:3: RuntimeWarning/);
});

test("tells of an overflow in the next turn though the code has put a handler of its own in the way", async () => {
  using session = await openSession();
  await session.run("import signal, numpy as np\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass");
  const told = await session.run("np.array([2**31 - 1], dtype=np.int32) + 1");
  assert.match(told.stderr, /RuntimeWarning: int32/);
});
