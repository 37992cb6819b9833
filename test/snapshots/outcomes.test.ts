import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";

/** What a reader is told of runs of every kind; `node --test --test-update-snapshots` on this file writes them anew. */
const PYTHON: Readonly<Record<string, string>> = {
  "a number": "6 * 7",
  "a text": '"it\'s"',
  nothing: "x = 1",
  "printed lines and a value": 'for i in range(3):\n    print(i)\n"done"',
  "a print alone": "print('hello')",
  "the seed example": 'revenue = {"Jan": 12000, "Feb": 15500, "Mar": 16700, "Apr": 23666.68}\nvalues = list(revenue.values())\n{"average": round(sum(values) / len(values), 2), "best": max(revenue, key=revenue.get)}',
  "a long dict": '{f"key {i}": {"n": i, "square": i * i, "name": "x" * i} for i in range(12)}',
  "a long list": "list(range(5000))",
  "a long text": '"abc " * 10_000',
  "a set, a tuple, bytes and None in a list": "[{3, 1, 2}, (1, 2.5), b'\\x00hi', None, True]",
  "numbers that JSON lacks": "[float('nan'), float('-inf'), 2**100, 1e-7, -0.0]",
  "dates and money": "import datetime, decimal\n[datetime.datetime(2024, 2, 29, 13, 5), datetime.date(2024, 1, 1), decimal.Decimal('1.10')]",
  "a dataclass": "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n    y: int = 0\nPoint(3)",
  "a table": "import pandas as pd\npd.DataFrame({'name': ['Ann', 'Ben'], 'score': [9.5, None]})",
  "a long table": "import pandas as pd\npd.DataFrame({'n': range(1000), 'half': [n / 2 for n in range(1000)]})",
  "a table with an index": "import pandas as pd\npd.DataFrame({'x': [1, 2, 2]}, index=['a', 'b', 'b']).groupby(level=0).x.agg(['sum', 'mean'])",
  "a column": "import pandas as pd\npd.Series([1, 2], index=['a', 'b'], name='n')",
  "an array": "import numpy as np\nnp.arange(6).reshape(2, 3)",
  "a large array": "import numpy as np\nnp.zeros((300, 300))",
  "a printed table": "import pandas as pd\nprint(pd.DataFrame({'a': [1, 2]}))",
  "an iterator": "(i for i in range(3))",
  "a function": "def f(x):\n    return x\nf",
  "a cycle": "a = [1]\na.append(a)\na",
  "an object that can't be shown": "class Bad:\n    def __repr__(self):\n        raise ValueError('no')\nBad()",
  "a division by zero": "def rate(a, b):\n    return a / b\n\nrate(1, 0)",
  "a misspelt name": "import math\nmath.sqr(2)",
  "a syntax error": "for i in range(3)\n    print(i)",
  "a cause": "try:\n    int('x')\nexcept ValueError as error:\n    raise RuntimeError('bad input') from error",
  "a group of exceptions": "raise ExceptionGroup('two', [ValueError('one'), KeyError('k')])",
  recursion: "def f(n):\n    return f(n + 1)\nf(0)",
  "a recursion of two functions": "def a(n): return b(n)\ndef b(n): return a(n + 1)\na(0)",
  "a missing column": "import pandas as pd\npd.DataFrame({'a': [1]})['b']",
  "JavaScript": "const x = [1, 2];\nx.map((n) => n * 2);",
  "a value shown amid the run": "display({'a': 1})\n2",
  "a figure in a font that is not there": "import matplotlib.pyplot as plt\nplt.rcParams['font.family'] = 'Arial'\nplt.title('x')\nplt.plot([1])",
  "an SVG file of a figure": "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('a.svg')\nplt.close()",
  "too large a file": "open('big.bin', 'wb').write(b'x' * 20_000_000)",
  "a missing module": "import httpx",
  "a missing module nobody knows": "import frobnicate",
  "a missing file": "open('data.csv')",
  input: "name = input('Name? ')",
  "an exit": "import sys\nprint('bye')\nsys.exit(2)",
  "a warning": "import warnings\nwarnings.warn('careful')\n1",
  "a forgotten await": "async def f():\n    return 1\nf()",
  "a top-level return": "x = 5\nreturn x",
  "a pip install": "!pip install cowsay\n1",
  "too much memory": "[0] * 10**9",
  "much output": "for i in range(100_000):\n    print(i)",
  "a file": "open('note.txt', 'w').write('hi')",
  "a figure": "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()",
  "an error after output": "print('reading')\n{}['k']",
};

const JAVASCRIPT: Readonly<Record<string, string>> = {
  "a number": "6 * 7",
  "an object": "({ a: 1, b: [1, 2, { c: null }], d: undefined })",
  "an array of objects": "[{ id: 1, name: 'Ann' }, { id: 2, name: 'Ben' }]",
  "a long array": "Array.from({ length: 500 }, (_, i) => i)",
  "a Map, a Set and a Date": "[new Map([['a', 1]]), new Set([1, 2]), new Date(0)]",
  "a bigint": "2n ** 100n",
  "numbers that JSON lacks": "[NaN, -Infinity, -0]",
  "logs of many kinds": "console.log('a', 1, { b: [1] }, [undefined]);\nconsole.error('bad');\nconsole.log('%s is %d', 'x', 5);",
  "a table": "console.table([{ a: 1, b: 'x' }, { a: 2, b: 'y' }])",
  "a promise that is logged": "console.log(Promise.resolve(1));\nawait Promise.resolve(2)",
  "a function": "function f(x) { return x }\nf",
  "an error": "function f(x) {\n  return x.y.z;\n}\nf({})",
  "an error with a cause": "throw new Error('outer', { cause: new TypeError('inner') })",
  "a syntax error": "const a = 1;\nconst b = ;",
  "a rejection": "await Promise.reject(new RangeError('no'))",
  "a promise that never settles": "await new Promise(() => {})",
  "a value that is thrown": "throw { code: 7 }",
  recursion: "const f = (n) => f(n + 1) + 1;\nf(0)",
  "a recursion of two functions": "function a(n) { return b(n + 1) }\nfunction b(n) { if (n > 500) throw new Error('deep'); return a(n) }\na(0)",
  "Python": "def f(x):\n    return x\nf(1)",
  "what is no function": "const o = { a: { b: 1 } };\no.a.c(3)",
  "a large object": "Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => ['key' + i, i]))",
  "a missing module": "import axios from 'axios';",
  "a network request": "await fetch('https://example.org')",
  types: "interface P { x: number }\nconst p: P = { x: 1 };\np.x satisfies number",
  "an exit": "process.exit(3)",
};

const server = await connect(["--timeout-ms=60000"]);
after(() => server[Symbol.asyncDispose]());
const lengths: number[] = [];

for (const [language, codes] of [["python", PYTHON], ["javascript", JAVASCRIPT]] as const) {
  for (const [title, code] of Object.entries(codes)) {
    test(`${language}: ${title} is told`, async (context) => {
      const { text, images } = await server.call(`execute_${language}`, { code });
      lengths.push(text.length);
      const stable = brief(text.replace(/belljar:\/\/[0-9a-f]+\//g, "belljar://…/").replace(/\bat 0x[0-9a-f]+/g, "at 0x…"));
      context.assert.snapshot(images.length > 0 ? `${stable}\n+ ${images.length} image` : stable, { serializers: [String] });
    });
  }
}

/** The ends of a long text, and how long it is: what lies between is counted by other tests. */
function brief(text: string): string {
  return text.length <= 3_000 ? text : `${text.slice(0, 300)}\n(${text.length} characters)\n${text.slice(-300)}`;
}

test("the mean of all answers is told", (context) => {
  const tokens = lengths.map((length) => length / 4).sort((one, other) => one - other);
  const mean = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
  context.diagnostic(`${tokens.length} answers; tokens (characters ÷ 4): mean ${mean.toFixed(1)}, median ${tokens[tokens.length >> 1]}, longest ${tokens.at(-1)}`);
});
