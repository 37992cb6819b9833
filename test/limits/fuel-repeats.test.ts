import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { outcomeSchema } from "../../src/policy/outcome.ts";
import { connect, ON_DENO, runCommand } from "../e2e/driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

const TIMES = 20;
const ROOT = resolve(import.meta.dirname, "../..");

/** Programs that ask for what differs from run to run, and whose work does not depend on it. */
const PROGRAMS = [
  ["python", "a sum", "sum(i * i for i in range(1000))"],
  ["python", "the clock and random numbers", "import time, random, os\nx = (time.time(), time.monotonic(), random.random(), os.urandom(8))\nlen(x)"],
  ["python", "sets and dictionaries of texts", "d = {str(i): i for i in range(1000)}\ns = set(d)\nsorted(s)[:3], len(d)"],
  ["python", "a table", "import pandas as pd\npd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']}).groupby('b').a.sum().to_dict()"],
  ["python", "random numbers of numpy", "import numpy as np\nnp.random.rand(1000).shape"],
  ["python", "an error", "def f(n): return f(n - 1) if n else 1 / 0\nf(5)"],
  ["python", "a file", "open('/work/x.txt', 'w').write('y' * 1000)"],
  ["javascript", "a sum", "Array.from({ length: 1000 }, (_, i) => i * i).reduce((a, b) => a + b)"],
  ["javascript", "the clock and random numbers", "const x = [Date.now(), performance.now(), Math.random(), crypto.getRandomValues(new Uint8Array(8))]; x.length"],
  ["javascript", "maps and sets", "const m = new Map(); for (let i = 0; i < 1000; i++) m.set('k' + i, i); m.size"],
  ["javascript", "an error", "const f = (n) => n ? f(n - 1) : null.x; f(5)"],
  ["javascript", "a timer", "await new Promise((done) => setTimeout(done, 50)); 1"],
] as const;

for (const [language, title, code] of PROGRAMS) {
  test(`${language}: ${title} burns the same fuel ${TIMES} times`, async () => {
    const seen = new Map<number, number>();
    for (let run = 0; run < TIMES; run += 1) {
      const { usage } = await server.run(language, code);
      seen.set(usage.fuel, (seen.get(usage.fuel) ?? 0) + 1);
    }
    assert.equal(seen.size, 1, JSON.stringify([...seen]));
  });
}

test("a sandbox that was used before burns what a new one does", async () => {
  const code = "import random\nrandom.random() >= 0, {str(i) for i in range(3)} and 1";
  const first = (await server.run("python", code)).usage.fuel;
  await server.run("python", "import sympy\nx = [bytearray(1000) for _ in range(10_000)]");
  await server.run("python", "while True: pass", { timeout_ms: 100 });
  assert.equal((await server.run("python", code)).usage.fuel, first);
});

const deno = denoCommand();
test("the packed binary and Deno burn the same fuel", { skip: ON_DENO || deno === undefined ? "needs the packed binary and Deno" : false }, async () => {
  const [command = "", ...args] = deno ?? [];
  for (const [language, title, code] of PROGRAMS.filter((_, index) => index % 2 === 0)) {
    const run = ["run", `--lang=${language}`, "--json", "-c", code];
    const here = outcomeSchema.parse(JSON.parse((await runCommand(run)).stdout));
    const there = outcomeSchema.parse(JSON.parse(spawnSync(command, [...args, ...run], { cwd: ROOT, encoding: "utf8" }).stdout));
    assert.equal(there.usage.fuel, here.usage.fuel, `${language}: ${title}`);
  }
});

/** How the README runs the bundle with Deno. */
function denoCommand(): string[] | undefined {
  const folder = join(ROOT, "node_modules", "@deno");
  const [platform] = existsSync(folder) ? readdirSync(folder) : [];
  if (platform === undefined) return undefined;
  const binary = join(folder, platform, process.platform === "win32" ? "deno.exe" : "deno");
  return [binary, "run", "--no-prompt", `--allow-read=${join(ROOT, "dist")}`, "--allow-env=BELLJAR_*", join(ROOT, "dist", "belljar.cjs")];
}
