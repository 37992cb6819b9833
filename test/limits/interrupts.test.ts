import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Outcome } from "../../src/policy/outcome.ts";
import { connect } from "../e2e/driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());
const kept = (name: string): string => `What ran before the stop is kept in the sandbox "${name}": variables, imports and files.`;
const asBefore = (name: string): string => `The sandbox "${name}" is exactly as it was before this run, files too.`;

/** Runs code in a sandbox whose `n` is 1, and tells what the run ended in and what `n` is then. */
async function stopIn(sandbox: string, code: string, limits: { timeout_ms?: number; fuel?: number }): Promise<readonly [Outcome, unknown]> {
  await server.run("python", "n = 1", { sandbox });
  const outcome = await server.run("python", code, { sandbox, ...limits });
  const { result } = await server.run("python", "n", { sandbox });
  return [outcome, result];
}

/** Code that is nearly always in what no exception leaves. */
const DEAF = {
  finalizers: ["n = 2\nclass A:\n    def __del__(self):\n        for i in range(300): pass\nwhile True: A()", 5],
  "callbacks of weak references": ["import weakref\nn = 2\nclass A: pass\ndef f(_):\n    for i in range(300): pass\nwhile True:\n    a = A()\n    r = weakref.ref(a, f)\n    del a", 6],
  "callbacks of the garbage collector": ["import gc\nn = 2\ndef f(phase, info):\n    for i in range(300): pass\ngc.callbacks.append(f)\nwhile True: gc.collect(0)", 6],
} as const;
for (const [title, [code, line]] of Object.entries(DEAF)) {
  test(`an interrupt that is lost in ${title} comes again, so that the run ends softly where it is`, async () => {
    const sandbox = title.replaceAll(" ", "-");
    const [outcome, n] = await stopIn(sandbox, code, { timeout_ms: 4_000 });
    assert.deepEqual([outcome.status, outcome.notes?.[0], n, outcome.stderr], ["timeout", kept(sandbox), 2, ""]);
    const told = outcome.error?.line ?? 0;
    assert.ok(told >= line && told <= line + 3, `line ${told}: ${outcome.error?.traceback}`);
  });
}

test("an interrupt that is lost when the fuel is used up comes again too", async () => {
  const [code, line] = DEAF.finalizers;
  const { status, error } = await server.run("python", code, { fuel: 20_000_000 });
  assert.deepEqual([status, error?.line], ["out_of_fuel", line]);
  assert.match(error?.traceback ?? "", /KeyboardInterrupt$/, "it has left the code");
});

const CLEAN = {
  "in finally": "n = 2\ntry:\n    while True: pass\nfinally:\n    WORK\n    n = 3",
  "in a handler that goes on to others": "n = 2\ntry:\n    while True: pass\nexcept BaseException:\n    try: {}[0]\n    except KeyError:\n        WORK\n    n = 3\n    raise",
  "in a context manager": "n = 2\nclass C:\n    def __enter__(self): pass\n    def __exit__(self, *_):\n        global n\n        WORK\n        n = 3\nwith C():\n    while True: pass",
} as const;
const WORK = {
  works: "from time import monotonic as t; s = t(); any(t() - s > 0.3 for _ in iter(int, 1))",
  waits: "import time; time.sleep(0.3)",
} as const;
for (const [title, code] of Object.entries(CLEAN)) {
  for (const [does, work] of Object.entries(WORK)) {
    test(`code that cleans up after its interrupt ${title} is left to it for the grace when it ${does}`, async () => {
      const [outcome, n] = await stopIn("clean", code.replace("WORK", work), { timeout_ms: 4_000 });
      assert.deepEqual([outcome.status, outcome.notes?.[0], n], ["timeout", kept("clean"), 3]);
      assert.equal(outcome.error?.line, code.slice(0, code.indexOf("while")).split("\n").length, "the line of the interrupt");
    });
  }
}

test("code that goes on after it has caught its interrupt is interrupted again, and what always does is ended", async () => {
  const twice = "n = 2\ntry:\n    while True: pass\nexcept KeyboardInterrupt: n = 3\nwhile True: pass";
  const [soft, n] = await stopIn("twice", twice, { timeout_ms: 2_000 });
  assert.deepEqual([soft.status, soft.notes?.[0], n, soft.error?.line], ["timeout", kept("twice"), 3, 5]);
  const [hard, before] = await stopIn("always", "n = 2\nwhile True:\n    try:\n        while True: n += 1\n    except BaseException: pass", { timeout_ms: 1_000 });
  assert.deepEqual([hard.status, hard.notes?.[0], before, hard.error?.line], ["timeout", asBefore("always"), 1, 4]);
});

test("what could not be raised is still told, when it is no interrupt", async () => {
  const { status, stderr } = await server.run("python", "class A:\n    def __del__(self): 1 / 0\nA()\nNone");
  assert.equal(status, "ok");
  assert.match(stderr, /^Exception ignored while calling deallocator [\s\S]*ZeroDivisionError: division by zero\n$/);
});
