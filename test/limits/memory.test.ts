import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { connect, descendants, ON_DENO } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const server = await connect(["--python-memory-mb=256", "--javascript-memory-mb=64"]);
after(() => server[Symbol.asyncDispose]());

const MIB = 1_048_576;
const FILL = {
  python: (mib: number) => `x = bytearray(b'x') * ${mib * MIB}\nlen(x)`,
  javascript: (mib: number) => `const x = new Uint8Array(${mib * MIB}).fill(1); x.length`,
} as const;
/** What fits beside the interpreter, and what does not, in MiB. */
const CASES = [
  ["python", 256, 128, 257],
  ["python", 96, 16, 60],
  ["javascript", 64, 24, 65],
  ["javascript", 32, 8, 33],
] as const;

for (const [language, memory_mb, fits, tooMuch] of CASES) {
  test(`${language}: of ${memory_mb} MiB, ${fits} can be had and ${tooMuch} can not`, async () => {
    const within = await server.run(language, FILL[language](fits), { memory_mb });
    assert.deepEqual([within.status, within.result], ["ok", fits * MIB]);
    assert.ok(within.usage.memory_bytes > fits * MIB && within.usage.memory_bytes <= memory_mb * MIB, String(within.usage.memory_bytes));
    const beyond = await server.run(language, FILL[language](tooMuch), { memory_mb });
    assert.equal(beyond.status, "out_of_memory");
    assert.match(beyond.error?.message ?? "", new RegExp(`needed more than its ${memory_mb} MiB of memory \\(memory_mb\\)`));
    assert.ok(beyond.usage.memory_bytes <= memory_mb * MIB, String(beyond.usage.memory_bytes));
  });
}

for (const [language, low, high, size] of [["python", 110, 256, 60], ["javascript", 20, 64, 24]] as const) {
  test(`${language}: a named sandbox has the memory that each call asks for, lower and higher than before`, async () => {
    const sandbox = `memory-${language}`;
    const statuses = [];
    for (const memory_mb of [low, high, low]) {
      await server.run(language, language === "python" ? "x = None" : "var x", { sandbox, memory_mb });
      const { status, error } = await server.run(language, FILL[language](size).replace("const ", "var "), { sandbox, memory_mb });
      statuses.push(status);
      if (status !== "ok") assert.match(error?.message ?? "", new RegExp(`more than its ${memory_mb} MiB`));
      if (memory_mb === high) await server.call("close_sandbox", { sandbox });
    }
    assert.deepEqual(statuses, ["out_of_memory", "ok", "out_of_memory"]);
  });
}

for (const [language, setting, least] of [["python", 256, 64], ["javascript", 64, 16]] as const) {
  test(`${language}: values that are no memory are refused`, async () => {
    const refuse = (memory_mb: unknown, words: string): Promise<void> => assertRefused(server, `execute_${language}`, { code: "1", memory_mb }, words);
    await refuse(least - 1, `memory_mb must be at least ${least} MiB, and was ${least - 1}.`);
    await refuse(setting + 1, `memory_mb must be at most ${setting} MiB on this server, and was ${setting + 1}.`);
    await refuse([], "memory_mb must be a whole number, and was an array.");
  });

  test(`${language}: the least memory is enough for a small run`, async () => {
    const { status, result, usage } = await server.run(language, "6 * 7", { memory_mb: least });
    assert.deepEqual([status, result], ["ok", 42]);
    assert.ok(usage.memory_bytes <= least * MIB, String(usage.memory_bytes));
  });
}

test("libraries that don't fit in little memory are told to be too much, not given more", async () => {
  const { status, usage } = await server.run("python", "import pandas\npandas.DataFrame({'a': range(1000)})", { memory_mb: 64 });
  assert.equal(status, "out_of_memory");
  assert.ok(usage.memory_bytes <= 64 * MIB, String(usage.memory_bytes));
});

test("the code can catch that memory ran out, free some and go on", async () => {
  const python = "x = []\ntry:\n    while True: x.append(bytearray(2**20))\nexcept MemoryError:\n    n = len(x); x.clear()\ny = bytearray(2**20)\nn > 50";
  assert.equal((await server.run("python", python)).result, true);
  const javascript = "let x = []; let n; try { for (;;) x.push(new Uint8Array(2 ** 20)) } catch { n = x.length; x = [] } new Uint8Array(2 ** 20); n > 10";
  assert.equal((await server.run("javascript", javascript)).result, true);
});

test("an endless chain of promises, which the language keeps, ends by memory or by its deadline, with that as its cause", async () => {
  for (const memory_mb of [16, 20, 24, 32, 48, 64]) {
    const { status, error } = await server.run("javascript", "const f = () => Promise.resolve().then(f);\nawait f()", { memory_mb, timeout_ms: 5_000 });
    if (status === "timeout") {
      assert.equal(error?.type, "TimeoutError");
      continue;
    }
    assert.deepEqual([status, error?.type], ["out_of_memory", "MemoryError"]);
    assert.match(error?.message ?? "", new RegExp(`^JavaScript needed more than its ${memory_mb} MiB of memory \\(memory_mb\\)`));
  }
});

test("of memory and fuel that both run out, the one that came first is told", async () => {
  const code = "x = []\nwhile True: x.append(bytearray(2**20))";
  assert.equal((await server.run("python", code)).status, "out_of_memory");
  assert.equal((await server.run("python", code, { fuel: 2_000_000 })).status, "out_of_fuel");
});

test("what sandboxes used is given back", { skip: process.platform !== "linux" || ON_DENO }, async () => {
  const [engine] = descendants(server.pid);
  const resident = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine}/status`, "utf8"))?.[1]) / 1_024;
  await server.run("python", "1");
  await server.run("javascript", "1");
  const before = resident();
  for (let round = 0; round < 6; round += 1) {
    assert.equal((await server.run("python", FILL.python(150))).status, "ok");
    assert.equal((await server.run("javascript", FILL.javascript(30))).status, "ok");
  }
  await server.run("python", "1");
  await server.run("javascript", "1");
  const grown = resident() - before;
  assert.ok(grown < 150, `${Math.round(grown)} MiB more than before`);
});
