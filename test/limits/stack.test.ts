import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

/** In each, `N` says how deep it goes, and `nest(n, wrap)` makes a value that deep. */
const DEEP = {
  "a list that is shown": "repr(nest(N))",
  "a dict that is shown": "repr(nest(N, lambda x: {1: x}))",
  "a list as JSON": "import json; json.dumps(nest(N))",
  "JSON that is read": "import json; json.loads('[' * N + ']' * N)",
  "objects of JSON that are read": "import json; json.loads('{\"a\":' * N + '1' + '}' * N)",
  "a list that is pickled": "import pickle; pickle.dumps(nest(N))",
  "objects that are pickled": "import pickle, types; pickle.dumps(nest(N, lambda x: types.SimpleNamespace(x=x)))",
  "a list that is marshalled": "import marshal; marshal.dumps(nest(N))",
  "a list that is copied": "import copy; copy.deepcopy(nest(N))",
  "a list that is read as a literal": "import ast; ast.literal_eval('[' * N + ']' * N)",
  "parentheses that are compiled": "compile('(' * N + ')' * N, '', 'eval')",
  "signs that are compiled": "compile('-' * N + '1', '', 'eval')",
  "subscripts that are compiled": "compile('x' + '[0]' * N, '', 'eval')",
  "a sum that is compiled": "compile('1+' * N + '1', '', 'eval')",
  "a syntax tree that is shown": "import ast, functools; ast.unparse(functools.reduce(lambda t, _: ast.UnaryOp(ast.USub(), t), range(N), ast.Constant(1)))",
  "groups of a regular expression": "import re; re.compile('(' * N + 'a' + ')' * N)",
  "choices of a regular expression": "import re; re.match('(?:a|b)*?c', 'ab' * N)",
  "classes that inherit": "c = object\nfor _ in range(min(N, 1_500)): c = type('C', (c,), {})\nc().x",
  "lists that are compared": "nest(N) == nest(N)",
  "lists that are ordered": "sorted([nest(N), nest(N)])",
  "a tuple that is hashed": "hash(nest(N, lambda x: (x,)))",
  "a list that is freed": "a = nest(N); del a",
  "a type of types": "repr(nest(N, lambda x: list[x if isinstance(x, type(list[int])) else int]))",
  "XML that is read": "import xml.etree.ElementTree as e; e.fromstring('<a>' * N + '</a>' * N)",
  "an array of lists": "import numpy as np; np.array(nest(N)).shape",
} as const;

/** In each, `f` calls itself by way of C, however often. */
const ENDLESS = {
  "a key": "def f(x): return sorted([1, 2], key=f)\nf(1)",
  "a fold": "import functools\ndef f(*x): return functools.reduce(f, [1, 2, 3])\nf(1)",
  "an attribute": "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
  "an operator": "class A:\n    def __add__(self, o): return self + o\nA() + 1",
  "a format": "class A:\n    def __format__(self, s): return format(self, s)\nformat(A())",
  "a substitution": "import re\ndef f(m): return re.sub('a', f, 'a')\nf(0)",
  "evaluated code": "def f(): return eval('f()')\nf()",
  generators: "def f(): yield from f()\nlist(f())",
  "a function of numpy": "import numpy as np\ndef f(x): return np.vectorize(f)(x)\nf(np.arange(3))",
  "nothing else": "def f(n): return 1 + f(n + 1)\nf(0)",
} as const;

const SETUP = `import json, re, sys
def nest(n, wrap=lambda x: [x]):
    value = wrap(0)
    for _ in range(n): value = wrap(value)
    return value
state = {str(i): [i] * 3 for i in range(2_000)}
text = json.dumps(state)`;
/** What would tell of a memory that was harmed, by much of what harms it: objects, text, C and its stack. */
const CHECK = `import gc
gc.collect()
[json.loads(text) == state, re.sub('[0-9]', '', text).count('['), sorted(state, key=int)[-1], (lambda f: f(f, 200))(lambda f, n: 0 if n == 0 else 1 + f(f, n - 1))]`;

/** Code that went too deep has an error that says so, or went through; the sandbox goes on with what it had. */
async function dive(sandbox: string, code: string): Promise<void> {
  const { status, error } = await server.run("python", `${code}\nNone`, { sandbox, timeout_ms: 20_000 });
  const ending = error === undefined ? status : `${status}: ${error.type}`;
  const known = ["ok", "error: RecursionError", "error: SyntaxError", "error: AttributeError", "error: ValueError", "out_of_memory: MemoryError"];
  assert.ok(known.includes(ending), `${ending}: ${error?.message}`);
  const after = await server.run("python", CHECK, { sandbox });
  assert.deepEqual(after.result, [true, 2_000, "1999", 200], JSON.stringify(after.error));
}

/** Runs each piece of code in one sandbox, and looks at that after each. */
async function diveAll(codes: readonly string[]): Promise<void> {
  await server.run("python", SETUP, { sandbox: "s" });
  for (const code of codes) await dive("s", code);
  await server.call("close_sandbox", { sandbox: "s" });
}

for (const [title, code] of Object.entries(DEEP)) {
  test(`however deep, ${title} is done or refused, and the sandbox lives on`, () => diveAll([400, 3_000, 200_000].map((depth) => `N = ${depth}\n${code}`)));
}
for (const [title, code] of Object.entries(ENDLESS)) {
  test(`calls through ${title} that go on for ever end in an error, and the sandbox lives on`, () => diveAll([`import sys\nsys.setrecursionlimit(10**8)\n${code}`]));
}

test("what V8's own stack ends first is told as recursion too deep, and the sandbox is as before", async () => {
  await server.run("python", SETUP, { sandbox: "s" });
  const { status, error, notes } = await server.run("python", `state = None\n${DEEP["XML that is read"].replaceAll("N", "400_000")}`, { sandbox: "s" });
  assert.deepEqual([status, error?.type], ["error", "RecursionError"]);
  assert.equal(error?.message, "The code calls itself too deep for the stack. Write the recursion as a loop, or make it end sooner.");
  assert.deepEqual(notes, ['The sandbox "s" is exactly as it was before this run, files too.']);
  assert.equal((await server.run("python", "len(state)", { sandbox: "s" })).result, 2_000);
});
