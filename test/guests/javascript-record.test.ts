import assert from "node:assert/strict";
import { test } from "node:test";
import { openAsset } from "../../src/engine/assets.ts";
import { decodeImage } from "../../src/engine/image-file.ts";
import { loadGuest } from "../../src/guests/load.ts";
import { compileGuest } from "../../src/guests/modules.ts";
import { NO_GRANTS } from "../../src/policy/grants.ts";
import { assertEqual, corpusOf, FILE_BYTES, type Prepared, prepareSeen, type Run, runnerOf } from "./seen-memory.ts";

const MEMORY_BYTES = 128 * 1_048_576;
const NAME = "javascript";

const guest = await loadGuest(NAME, compileGuest(NAME), NO_GRANTS);
const image = decodeImage(openAsset("javascript/image"));

const prepare = (): Promise<Prepared> => prepareSeen(guest, MEMORY_BYTES, NAME);
const run = runnerOf(NAME, MEMORY_BYTES);

/** Resets an instance that may have to be made anew. */
async function reset({ instance, memory }: Prepared, what: string): Promise<Prepared> {
  if (!instance.reset(NAME)) return prepare();
  assertEqual(memory, image, what);
  return { instance, memory };
}

test("after each program the memory is the image again, to its last byte", { timeout: 600_000 }, async () => {
  let at = await prepare();
  for (const { code, files } of corpusOf(NAME)) {
    await run(at.instance, code, { files });
    at = await reset(at, code);
  }
});

const ENDINGS: readonly (readonly [what: string, code: string, how: Partial<Run>, status: string])[] = [
  ["ends soon", "const a = [1, 2, 3].map((x) => x * 2); a", {}, "ok"],
  ["prints, waits, and draws random bytes", "console.log(crypto.getRandomValues(new Uint8Array(9_000))); await new Promise((ok) => setTimeout(ok, 5)); performance.now()", {}, "ok"],
  ["reads and writes files", "const fs = require('fs'); fs.writeFileSync('a.txt', 'x'.repeat(70_000)); fs.readFileSync('a.txt', 'utf8').length", {}, "ok"],
  ["leaves promises rejected", "for (let i = 0; i < 20; i++) Promise.reject(new Error(String(i))); 1", {}, "error"],
  ["changes what the language brings", "Array.prototype.map = null; Object.prototype.x = 1; 1", {}, "ok"],
  ["goes on in a loop of its own", "let s = 0; const d = {}; for (let i = 0; i < 400_000; i++) { d[i % 5_000] = i; s += i } s", {}, "ok"],
  ["goes on in functions that are called", "const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); fib(20); [...'ab'.repeat(20_000).matchAll(/(a)(b)/g)].length", {}, "ok"],
  ["goes on in a library's loops", "Array.from({ length: 50_000 }, (_, i) => (i * 7_919) % 50_021).sort((x, y) => x - y).join().length", {}, "ok"],
  ["recurses to its end", "const f = (n) => f(n + 1) + 1; f(0)", {}, "error"],
  ["runs out of fuel", "const a = []; for (;;) { a[a.length % 1_000] = {} }", { fuel: 30_000_000 }, "out_of_fuel"],
  ["is ended at its deadline", "for (;;) { try { for (;;) [].push({}) } catch {} }", { wallTimeMs: 300 }, "timeout"],
  ["exits", "process.exit(3)", {}, "error"],
];

for (const [what, code, how, status] of ENDINGS) {
  test(`nothing of a program stays that ${what}`, async () => {
    const made = await prepare();
    assert.equal(await run(made.instance, code, how), status);
    const again = await reset(made, what);
    assert.equal(await run(again.instance, "typeof fib + typeof a"), "ok");
    await reset(again, `${what}, then ends soon`);
  });
}

test("what is saved of a sandbox is its whole memory, and comes back over whatever ran since", async () => {
  const { instance, memory } = await prepare();
  await run(instance, "const rows = Array.from({ length: 3_000 }, (_, i) => ({ i }))", { kept: true });
  await run(instance, "let total = 0; for (const { i } of rows) total += i", { kept: true });
  const saved = instance.save();
  const taken = decodeImage(saved.memory, image);
  assertEqual(memory, taken, "saved");
  for (const between of ["1 + 1", "let s = 0; for (let i = 0; i < 400_000; i++) s += i", "undefined.x"]) {
    const other = await prepare();
    await run(other.instance, between);
    assert.ok(other.instance.load(saved, FILE_BYTES));
    assertEqual(other.memory, taken, between);
    assert.equal(await run(other.instance, "if (total !== 4_498_500) throw new Error(String(total)); const more = rows.length", { kept: true }), "ok");
    const further = other.instance.save();
    assertEqual(other.memory, decodeImage(further.memory, image), `saved again after ${between}`);
  }
});
