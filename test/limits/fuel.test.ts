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
const LOOP = { python: "while True: pass", javascript: "for (;;);" } as const;

for (const language of ["python", "javascript"] as const) {
  test(`${language}: as much fuel as a run uses is enough, and one less is not`, async () => {
    const { usage } = await server.run(language, WORK[language]);
    // Some instructions are charged a little ahead, and given back when they are not reached.
    const enough = await server.run(language, WORK[language], { fuel: usage.fuel + 1_000 });
    assert.deepEqual([enough.status, enough.usage.fuel], ["ok", usage.fuel]);
    const fuel = usage.fuel - 1;
    const starved = await server.run(language, WORK[language], { fuel });
    assert.equal(starved.status, "out_of_fuel", JSON.stringify(starved));
    assert.equal(starved.error?.message, `Stopped after ${fuel.toLocaleString("en-US")} instructions (fuel). Make the work smaller, or split it over several calls.`);
    assert.equal(starved.usage.fuel, fuel);
    assert.equal(starved.stdout, "begun\n");
  });

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
