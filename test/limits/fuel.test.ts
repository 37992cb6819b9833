import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const server = await connect(["--fuel=50000000000"]);
after(() => server[Symbol.asyncDispose]());

const WORK = {
  python: "print('begun')\nn = 0\nfor i in range(20_000): n += i\nn",
  javascript: "console.log('begun'); let n = 0; for (let i = 0; i < 200_000; i++) n += i; n",
} as const;
/** Runs that end in different ways, some with thousands of calls open. */
const EXACT = {
  python: {
    "a loop": WORK.python,
    "an expression": "sum(i * i for i in range(50_000))",
    recursion: "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(900)",
    "recursion through C": "import functools\ndef f(n): return 0 if n == 0 else max([n], key=lambda _: f(n - 1))\nf(60)",
    "an error deep down": "def f(n): return 1 / n + f(n - 1)\nf(500)",
    "endless recursion": "def f(): f()\nf()",
    "an exit": "import os\nprint(1)\nos._exit(3)",
    "a large copy": "b = bytearray(30_000_000)\nlen(bytes(b))",
    output: "for i in range(2_000): print(i)",
    numpy: "import numpy as np\nfloat(np.sort(np.arange(200_000)[::-1] * 1.5).sum())",
  },
  javascript: {
    "a loop": WORK.javascript,
    recursion: "const f = (n) => n === 0 ? 0 : 1 + f(n - 1); f(5_000)",
    "endless recursion": "const f = () => f() + 1; f()",
    "an error": "const f = (n) => n === 0 ? null.x : f(n - 1); f(500)",
    "a sort": "Array.from({ length: 50_000 }, (_, i) => (i * 7_919) % 50_021).sort((x, y) => x - y)[5]",
    promises: "let n = 0; for (let i = 0; i < 2_000; i++) n += await i; n",
    "an exit": "for (let i = 0; i < 1e5; i += 1);\nprocess.exit(3)",
    "a large text": "'x'.repeat(3e7).length",
  },
} as const;
const LOOP = { python: "while True: pass", javascript: "for (;;);" } as const;

for (const language of ["python", "javascript"] as const) {
  test(`${language}: a run that needs one more than its fuel is told so, and keeps its output`, async () => {
    const { usage } = await server.run(language, WORK[language]);
    const fuel = usage.fuel - 1;
    const starved = await server.run(language, WORK[language], { fuel });
    assert.equal(starved.status, "out_of_fuel", JSON.stringify(starved));
    assert.equal(starved.error?.message, `Stopped after ${fuel.toLocaleString("en-US")} instructions (fuel). Make the work smaller, or split it over several calls.`);
    assert.equal(starved.usage.fuel, fuel);
    assert.equal(starved.stdout, "begun\n");
  });

  for (const [title, code] of Object.entries(EXACT[language])) {
    test(`${language}: ${title} passes with exactly the fuel it uses, and with one less does not`, async () => {
      const { status, usage, error } = await server.run(language, code);
      assert.ok(status === "ok" || status === "error", JSON.stringify(error));
      const enough = await server.run(language, code, { fuel: usage.fuel });
      assert.deepEqual([enough.status, enough.usage.fuel, enough.error], [status, usage.fuel, error]);
      const starved = await server.run(language, code, { fuel: usage.fuel - 1 });
      assert.deepEqual([starved.status, starved.usage.fuel, starved.result], ["out_of_fuel", usage.fuel - 1, undefined]);
    });
  }

  test(`${language}: what was used is told exactly, and never more than was given`, async () => {
    const { status, usage } = await server.run(language, LOOP[language], { fuel: 5_000_000 });
    assert.deepEqual([status, usage.fuel], ["out_of_fuel", 5_000_000]);
  });

  test(`${language}: values that are no fuel are refused`, async () => {
    const refuse = (fuel: unknown, words: string): Promise<void> => assertRefused(server, `execute_${language}`, { code: "1", fuel }, words);
    await refuse(999_999, "fuel must be at least 1,000,000 instructions, and was 999,999.");
    await refuse(50_000_000_001, "fuel must be at most 50,000,000,000 instructions on this server, and was 50,000,000,001.");
    await refuse(1e15, "fuel must be at most 50,000,000,000 instructions on this server, and was 1,000,000,000,000,000.");
    await refuse({}, "fuel must be a whole number, and was an object.");
  });
}

test("code that swallows the interrupt gets no more than the fuel to tell its story", async () => {
  const outcome = await server.run("python", "while True:\n    try:\n        while True: pass\n    except BaseException: pass", { fuel: 20_000_000 });
  assert.deepEqual([outcome.status, outcome.usage.fuel], ["out_of_fuel", 20_000_000]);
  assert.ok(outcome.usage.wall_ms < 5_000, String(outcome.usage.wall_ms));
});

const SIDE_DOORS = [
  ["a copy of memory", "b = bytes(10**7)\nfor _ in range(100): bytearray(b)", 1e9],
  ["a fill of memory", "b = bytearray(b'x') * 10**7\nfor _ in range(100): b[:] = bytes(10**7)", 1e9],
  ["a sort in C", "sorted(range(10**6), key=lambda x: -x)", 5e7],
  ["a regular expression", "import re\nre.match('(a+)+$', 'a' * 20 + 'b')", 5e7],
] as const;
for (const [title, code, least] of SIDE_DOORS) {
  test(`${title} is charged`, async () => {
    const { status, usage } = await server.run("python", code);
    assert.equal(status, "ok");
    assert.ok(usage.fuel > least, String(usage.fuel));
  });
}

test("waiting is free", async () => {
  const { usage } = await server.run("python", "import time\ntime.sleep(0.3)");
  const { usage: idle } = await server.run("python", "import time\ntime.sleep(0)");
  assert.ok(usage.fuel < idle.fuel + 100_000, `${usage.fuel} against ${idle.fuel}`);
});
