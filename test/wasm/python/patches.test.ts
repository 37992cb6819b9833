import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

/** What code does to modules that all of the sandbox shares. */
const PATCHES: readonly string[] = [
  "import builtins\nbuiltins.print = None; builtins.len = None; builtins.isinstance = None",
  "import builtins\nfor k in list(vars(builtins)):\n    if k not in ('list', 'setattr', 'vars', '__build_class__', '__import__', 'ValueError'): setattr(builtins, k, None)",
  "import sys\nsys.modules.clear()",
  "import json\njson.dumps = None; json.loads = None",
  "import json\njson._default_decoder = None; json.JSONDecoder.decode = None; json.decoder.scanstring = None",
  "import sys\nsys.stdout = None; sys.stderr = None",
  "import sys\nsys.stdout.write = None; sys.stdout.flush = None",
  "import sys\nsys.stdout.buffer.write = None; sys.stdout.buffer.raw.write = None",
  "import sys\nfor k in ('write', 'flush', 'closed', 'writable'): setattr(type(sys.stdout), k, None)",
  "import sys\nsys.stderr.close(); out = sys.stdout.detach()",
  "import traceback, linecache\ntraceback.TracebackException = None; linecache.getline = None; linecache.cache = None",
  "import traceback\ntraceback.TracebackException.__init__ = None; traceback.StackSummary.format = None; traceback.FrameSummary.line = None",
  "import traceback\nfor k in list(vars(traceback)): setattr(traceback, k, None)",
  "import traceback\nclass Lie:\n    def __init__(self, *a, **k): pass\ntraceback.TracebackException = traceback.StackSummary = Lie",
  "import ast\nast.parse = None; ast.Expression = None; ast.Expr = None; ast.PyCF_ONLY_AST = 0",
  "import sys\nsys.excepthook = None; sys.displayhook = None; sys._getframe = None; sys.getrecursionlimit = None; sys.exception = None",
  "import re, types, functools, itertools\nre.compile = None; types.ModuleType = None; functools.wraps = None; itertools.islice = None",
  "import decimal, fractions, datetime, math\ndecimal.Decimal = None; fractions.Fraction = None; datetime.datetime = None; datetime.date = None; math.isfinite = None",
  "import enum, base64, collections, dataclasses, pprint\nenum.Enum = None; base64.b64encode = None; collections.deque = None; dataclasses.fields = None; pprint.pformat = None",
  "import asyncio, threading\nasyncio.run = None; asyncio.new_event_loop = None; threading.Thread = None",
  "import warnings, signal, gc, time\nwarnings.warn_explicit = None; signal.signal = None; gc.collect = None; time.sleep = None",
  "import os, io, importlib\nos.environ = None; os.getcwd = None; io.BytesIO = None; io.TextIOWrapper = None; importlib.import_module = None",
  "import numpy as np, pandas as pd\nnp.ndarray = None; np.asarray = None; pd.DataFrame = None; pd.NA = None",
];

for (const patch of PATCHES) {
  test(`the answer is right though the code does ${JSON.stringify(patch)}`, async () => {
    using session = await openSession();
    const value = await session.run(`${patch}\n{'a': [1, (2,), 1.5]}`);
    assert.deepEqual([value.error, value.result], [undefined, { a: [1, [2], 1.5] }]);
    const thrown = await session.run(`${patch}\nraise ValueError('boo')`);
    assert.deepEqual([thrown.error?.type, thrown.error?.message, thrown.error?.line], ["ValueError", "boo", patch.split("\n").length + 1]);
    const next = await session.run("q = 20 + 1\nprint('hi', len([1]))\nq * 2");
    assert.deepEqual([next.error, next.result, next.stdout], [undefined, 42, "hi 1\n"]);
    const wrong = await session.run("x = 1\ny = = 2");
    assert.deepEqual([wrong.error?.type, wrong.error?.line], ["SyntaxError", 2]);
  });
}

test("what code puts in place of a library's function lasts, in its turn and in the next", async () => {
  using session = await openSession();
  await session.run("import math, traceback\nmath.floor = lambda x: 'own'\ntraceback.print_exc = lambda: print('mine')");
  const next = await session.run("traceback.print_exc()\nmath.floor(1.5)");
  assert.deepEqual([next.error, next.result, next.stdout], [undefined, "own", "mine\n"]);
  const thrown = await session.run("raise KeyError('k')");
  assert.equal(thrown.error?.type, "KeyError");
  assert.equal((await session.run("math.floor(1.5)")).result, "own");
});
