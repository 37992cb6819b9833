import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

interface Wanted {
  readonly type: string;
  readonly message: RegExp;
  readonly line?: number;
  readonly column?: number;
  readonly traceback?: RegExp;
  readonly note?: RegExp;
}

const FAILURES: readonly (readonly [title: string, code: string, wanted: Wanted])[] = [
  ["the line and column of the code, with its text", "def f():\n    return 1 / 0\n\nf()", { type: "ZeroDivisionError", message: /^division by zero$/, line: 2, column: 12, traceback: /line 4.*\n +f\(\)[^]*line 2.*\n +return 1 \/ 0\n +~~\^~~/ }],
  ["the place of a syntax error", "a = 1\nb = 2\nc = = 3", { type: "SyntaxError", message: /^invalid syntax$/, line: 3, column: 5, traceback: /c = = 3\n +\^/ }],
  ["CPython's suggestion", "prnt(1)", { type: "NameError", message: /Did you mean: 'print'/, line: 1 }],
  ["columns of code that was indented", "    x = 1\n    x / 0", { type: "ZeroDivisionError", message: /zero/, line: 2, column: 5 }],
  ["lines of code in a fence", "```\n1 / 0\n```", { type: "ZeroDivisionError", message: /zero/, line: 2 }],
  ["what to do instead of a return", "x = 5\nreturn x", { type: "SyntaxError", message: /'return' outside function/, line: 2, traceback: /return x/, note: /end with the expression/ }],
  ["a cause", "try:\n    {}['k']\nexcept KeyError as e:\n    raise RuntimeError('outer') from e", { type: "RuntimeError", message: /^outer$/, line: 4, traceback: /KeyError: 'k'[^]*direct cause/ }],
  ["a group", "raise ExceptionGroup('many', [ValueError('v1'), TypeError('t2')])", { type: "ExceptionGroup", message: /many/, traceback: /ValueError: v1[^]*TypeError: t2/ }],
  ["no frames of libraries", "import json\njson.loads('{')", { type: "JSONDecodeError", message: /double quotes/, line: 2, traceback: /^(?!.*(json\/|belljar))[^]*$/ }],
  ["a recursion, folded", "def f(n):\n    return f(n + 1)\nf(0)", { type: "RecursionError", message: /recursion/, line: 2, traceback: /Previous line repeated/ }],
  ["a mutual recursion, folded", "def f(n): return g(n)\ndef g(n): return f(n)\nf(0)", { type: "RecursionError", message: /recursion/, traceback: /Previous 2 lines repeated \d+ more times/ }],
  ["a key that pandas lacks, once", "import pandas as pd\npd.DataFrame({'a': [1]})['b']", { type: "KeyError", message: /^'b'$/, line: 2, traceback: /^(?![^]*direct cause)[^]*$/ }],
  ["JavaScript for what it is", "const x = 5;\nconsole.log(x);", { type: "SyntaxError", message: /invalid syntax/, line: 1, note: /execute_javascript/ }],
  ["JavaScript's console for what it is", "console.log(1)", { type: "NameError", message: /console/, note: /execute_javascript/ }],
  ["JSON that was pasted as code", "x = {'a': null}", { type: "NameError", message: /null/, note: /None/ }],
  ["SQL for what it is", "SELECT name FROM people WHERE n > 3", { type: "SyntaxError", message: /invalid syntax/, note: /sqlite3/ }],
  ["a shell's command for what it is", "cat data.csv | head", { type: "SyntaxError", message: /invalid syntax/, note: /no shell/ }],
  ["a mistake in Python without such a guess", "for i in range(3)\n    print(i)", { type: "SyntaxError", message: /expected ':'/, note: /^$/ }],
  ["that a shell's output can't be taken", "files = !ls", { type: "SyntaxError", message: /no shell/, line: 1 }],
  ["how to get help", "len?", { type: "SyntaxError", message: /help\(len\)/, line: 1 }],
  ["what Pillow writes instead of JPEG", "from PIL import Image\nImage.new('RGB', (9, 9)).save('a.jpg')", { type: "OSError", message: /jpeg not available/, line: 2, note: /PNG/ }],
  ["what to use instead of HDF5", "import pandas as pd\npd.DataFrame({'a': [1]}).to_hdf('a.h5', key='a')", { type: "ImportError", message: /pytables/, note: /numpy\.savez/ }],
  ["how much the files may hold", "open('a', 'wb').write(b'x' * 20_000_000)", { type: "OSError", message: /No space left/, note: /16,777,216 bytes/ }],
  ["that input has no one to ask", "name = input('name? ')", { type: "EOFError", message: /no terminal/, line: 1 }],
  ["what to use instead of a missing module", "import cv2", { type: "ModuleNotFoundError", message: /^No module named 'cv2'$/, note: /PIL/ }],
  ["what there is instead of an unknown module", "import no_such_thing", { type: "ModuleNotFoundError", message: /no_such_thing/, note: /numpy, pandas/ }],
  ["that nothing can be installed", "x = 1\n!pip install torch", { type: "SyntaxError", message: /`!pip` isn't available here; these packages are: numpy.*torch/, line: 2 }],
  ["that there is no shell", "!ls -l", { type: "SyntaxError", message: /no shell/, line: 1 }],
  ["that there is no process", "import subprocess\nsubprocess.run(['id'])", { type: "OSError", message: /no other process/, line: 2 }],
  ["that there is no shell for os.system", "import os\nos.system('ls')", { type: "OSError", message: /no other process/, line: 2 }],
  ["that a host was not allowed", "import urllib.request\nurllib.request.urlopen('https://example.com')", { type: "URLError", message: /No network here: example\.com was not allowed\. The user can start Belljar with --allow-net=example\.com/, line: 2 }],
  ["a text that can't be made", "class E(Exception):\n    def __str__(self): raise ValueError\nraise E", { type: "E", message: /failed/, line: 3 }],
  ["that a task can never go on", "import asyncio\nasync def f():\n    await asyncio.Event().wait()\nawait f()", { type: "RuntimeError", message: /no longer happen/, line: 3 }],
  ["that a thread can never go on", "import queue\nqueue.Queue().get()", { type: "RuntimeError", message: /wait for ever/, line: 2 }],
];

for (const [title, code, wanted] of FAILURES) {
  test(`tells of an error: ${title}`, async () => {
    using session = await openSession();
    const { error, notes, status } = await session.run(code);
    assert.deepEqual([status, error?.type], ["error", wanted.type]);
    assert.match(error?.message ?? "", wanted.message);
    if (wanted.line !== undefined) assert.equal(error?.line, wanted.line);
    if (wanted.column !== undefined) assert.equal(error?.column, wanted.column);
    if (wanted.traceback !== undefined) assert.match(error?.traceback ?? "", wanted.traceback);
    if (wanted.note !== undefined) assert.match(notes?.join("\n") ?? "", wanted.note);
    assert.ok((error?.traceback ?? "").length <= 21_000);
  });
}

test("ends with the code that it asked for", async () => {
  using session = await openSession();
  const exit = async (code: string) => {
    const { status, error } = await session.run(code);
    return [status, error?.exit_code, error?.message];
  };
  assert.deepEqual(await exit("import sys\nsys.exit(3)"), ["error", 3, "exit code 3"]);
  assert.equal((await session.run("import sys\nsys.exit(3)")).error?.traceback, undefined, "an exit has no traceback");
  assert.deepEqual(await exit("raise SystemExit('no')"), ["error", 1, "no"]);
  assert.deepEqual(await exit("quit()"), ["ok", undefined, undefined]);
  assert.deepEqual(await exit("exit(0)"), ["ok", undefined, undefined]);
});

test("is interrupted at its line, in code, in an await and in a repr, and goes on", async () => {
  using session = await openSession();
  const loop = await session.run("import asyncio, time; kept = 1\ndef spin():\n    while True:\n        pass\nspin()", 1_000);
  assert.equal(loop.error?.type, "KeyboardInterrupt");
  assert.match(String(loop.error?.line), /^[34]$/);
  const wait = await session.run("async def f():\n    x = 1\n    await asyncio.sleep(60)\nawait f()", 100);
  assert.deepEqual([wait.error?.type, wait.error?.line], ["KeyboardInterrupt", 3]);
  const sleep = await session.run("x = 1\ntime.sleep(60)", 100);
  assert.deepEqual([sleep.error?.type, sleep.error?.line], ["KeyboardInterrupt", 2]);
  const shown = await session.run("class L:\n    def __repr__(self):\n        while True: pass\nL()", 100);
  assert.deepEqual([shown.error?.type, shown.error?.line], ["KeyboardInterrupt", 3]);
  assert.equal((await session.run("kept")).result, 1);
});

test("reports whatever the code has done to the interpreter", async () => {
  using session = await openSession();
  const told = await session.run(
    "import sys, builtins, json, traceback\nfor name in ('len', 'isinstance', 'print', 'str', 'repr', 'list'):\n    setattr(builtins, name, None)\njson.dumps = None\nsys.setrecursionlimit(60)\nsys.modules.clear()\nsys.stdout = sys.stderr = None\n{'a': [1, 2]}",
  );
  assert.deepEqual([told.error, told.result], [undefined, { a: [1, 2] }]);
  const next = await session.run("print(len('abc'))\n1 / 0");
  assert.deepEqual([next.stdout, next.error?.type, next.error?.line], ["3\n", "ZeroDivisionError", 2]);
});
