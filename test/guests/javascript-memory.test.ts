import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./javascript-session.ts";

/** Each of these promises waits for the next, so that the language itself must keep all. */
const CHAINS = [
  "const f = () => Promise.resolve().then(f);\nawait f()",
  "const f = () => Promise.resolve().then(f);\nf(); 1",
  "const f = async () => { await null; await f() };\nawait f()",
] as const;
/** Fills memory with what leaves no room even for a small object, and lets go of it. */
const FILL_AND_FREE = "(() => { const a = []; try { for (;;) a.push({}) } catch { a.length = 0 } })();\n";

for (const code of CHAINS) {
  test(`memory that runs out is told as that, whatever the engine had room to throw: ${JSON.stringify(code)}`, async () => {
    for (let step = 0; step < 8; step += 1) {
      // Where memory ends decides whether the engine gets an error, its message, both or neither.
      const session = await openSession(16 + step);
      const { error, thrown } = await session.run(`const pad = new Array(${step * 3_711}).fill(1.5);\n${code}`);
      assert.deepEqual([thrown, error?.type, error?.message], [undefined, "MemoryError", "out of memory"], String(step));
      assert.doesNotMatch(error?.traceback ?? "", /Invalid error message/);
    }
  });
}

test("an error of the engine that memory left no room to word is told as memory's end", async () => {
  const session = await openSession(16);
  const { error } = await session.run(`${FILL_AND_FREE}await Promise.reject(null)`);
  assert.equal(error?.type, "MemoryError");
});

for (const [code, type, message] of [
  ["await Promise.reject(null)", "Error", "Uncaught null"],
  ["throw null", "Error", "Uncaught null"],
  ["throw new InternalError()", "InternalError", ""],
  ["throw new Error('Invalid error message')", "Error", "Invalid error message"],
] as const) {
  test(`with memory left, what looks like the engine's is the code's: ${code}`, async () => {
    const { error } = await (await openSession(32)).run(code);
    assert.deepEqual([error?.type, error?.message], [type, message]);
  });
}

test("what the code throws is told though memory was full before", async () => {
  for (const [code, type] of [["throw null", "Error"], ["throw new TypeError('x')", "TypeError"], ["null.x", "TypeError"]] as const) {
    const session = await openSession(16);
    assert.equal((await session.run(FILL_AND_FREE + code)).error?.type, type);
  }
});

for (const [what, loop] of [
  ["awaited one after the other", "for (let i = 0; i < COUNT; i++) await null"],
  ["queued by each other", "await new Promise((ok) => { let n = 0; const f = () => (n++ < COUNT ? queueMicrotask(f) : ok()); f() })"],
  ["of an async generator", "async function* g() { for (let i = 0; i < COUNT; i++) yield i }\nfor await (const x of g());"],
  ["that are rejected and caught", "for (let i = 0; i < COUNT; i++) await Promise.reject(i).catch(() => {})"],
] as const) {
  test(`jobs ${what} take no more memory the more they are`, async () => {
    const sizes = [];
    for (const count of [1_000, 200_000]) {
      const session = await openSession();
      assert.equal((await session.run(loop.replace("COUNT", String(count)))).error, undefined);
      sizes.push(session.instance.memoryBytes());
    }
    assert.equal(sizes[0], sizes[1]);
  });
}
