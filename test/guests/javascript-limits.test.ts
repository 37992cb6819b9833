import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { openSession, run } from "./javascript-session.ts";

test("the same code burns the same fuel", async () => {
  const runs = await Promise.all(["1 + 1", "1 + 1"].map((code) => run(code)));
  assert.equal(runs[0]?.fuel, runs[1]?.fuel);
  assert.ok((runs[0]?.fuel ?? 0) < 5_000_000);
});

for (const [what, code] of [
  ["an endless loop", "let n = 0;\nwhile (true) n += 1"],
  ["an endless loop in a function", "function spin() {\n  for (;;);\n}\nspin()"],
  ["a value whose showing never ends", "({ get a() { for (;;); } })"],
] as const) {
  test(`interrupts ${what}`, async () => {
    const session = await openSession();
    const { error, thrown } = await session.run(code, { deadlineMs: 300 });
    assert.equal(thrown, undefined);
    if (error !== undefined) assert.equal(error.type, "Interrupted");
    assert.equal((await session.run("40 + 2")).result, 42);
  });
}

for (const [what, code] of [
  ["a catastrophic regular expression", "\n/(a+)+$/.test('a'.repeat(40) + 'b')"],
  ["an endless chain of jobs", "const f = () => Promise.resolve().then(f);\nawait f()"],
] as const) {
  test(`stops ${what}, at the cost of the sandbox's state`, async () => {
    const session = await openSession();
    const { error } = await session.run(code, { deadlineMs: 300 });
    assert.equal(error?.type, "Interrupted");
    const after = await session.run("40 + 2");
    assert.ok(after.result === 42 || after.thrown === "GUEST_FAULT");
    // A memory that has grown can't go back; its sandbox is replaced.
    if (session.instance.reset("javascript")) assert.equal((await session.run("40 + 2")).result, 42);
  });
}

test("tells the line at which code was interrupted", async () => {
  const { error } = await run("let n = 0;\nwhile (true) n += 1", { deadlineMs: 300 });
  assert.equal(error?.line, 2);
  assert.match(error?.traceback ?? "", /while \(true\) n \+= 1/);
});

test("an interrupt can be caught, and finally blocks run", async () => {
  const { stdout, result } = await run("try { try { for (;;); } finally { console.log('fin') } } catch (e) { e.message }", { deadlineMs: 300 });
  assert.equal(stdout, "fin\n");
  assert.equal(result, "interrupted");
});

test("code that swallows interrupts is thrown out, and tells where it was", async () => {
  const session = await openSession();
  const { error, result } = await session.run("1;\nfor (;;) { try { for (;;); } catch {} }", { deadlineMs: 300 });
  assert.deepEqual([error?.type, error?.line, result], ["Interrupted", 2, undefined]);
  assert.equal(session.instance.usable(), false);
});

test("a wait ends with the deadline", async () => {
  const { error } = await run("await new Promise(r => setTimeout(r, 1e6))", { deadlineMs: 300 });
  assert.equal(error?.type, "Interrupted");
});

test("fuel ends a turn, with room to tell where", async () => {
  const { error, fuel } = await run("let n = 0;\nfor (;;) n += 1", { fuel: 50_000_000 });
  assert.equal(error?.type, "Interrupted");
  assert.equal(error?.line, 2);
  assert.ok(fuel <= 50_000_000 && fuel > 40_000_000);
});

for (const [what, code] of [
  ["array buffers", "const a = [];\nfor (;;) a.push(new ArrayBuffer(10_000_000))"],
  ["objects", "const a = [];\nfor (;;) a.push({ x: [1, 2, 3] })"],
  ["a map", "const m = new Map();\nfor (let i = 0; ; i++) m.set(i, i)"],
  ["one huge array", "new Array(1e9).fill(0)"],
] as const) {
  test(`runs out of memory by ${what}, and says so`, async () => {
    const session = await openSession(32);
    const { error, thrown } = await session.run(code);
    // Where the engine did not expect it, it breaks; the memory then says why.
    assert.ok(error?.type === "MemoryError" || (thrown === "GUEST_FAULT" && session.instance.nearlyFull()), `${error?.type} ${thrown}`);
    assert.ok(session.instance.memoryBytes() <= 32 * 1_048_576);
  });
}

test("being out of memory can be caught", async () => {
  const session = await openSession(32);
  const { result } = await session.run("const a = [];\ntry { for (;;) a.push(new ArrayBuffer(1e6)) } catch (e) { a.length = 0; e.message }");
  assert.equal(result, "out of memory");
  assert.equal((await session.run("1 + 1")).result, 2);
});

/** Runs code in a thread with the stack that sandboxes have; the main thread's is too small for the depth. */
async function runDeep(code: string): Promise<{ readonly repr?: string; readonly error?: { readonly type: string; readonly message: string }; readonly after: unknown }> {
  const script = `
    import { parentPort } from "node:worker_threads";
    import { openSession } from ${JSON.stringify(new URL("javascript-session.ts", import.meta.url).href)};
    const session = await openSession();
    const ran = await session.run(${JSON.stringify(code)});
    parentPort.postMessage({ ...ran, after: (await session.run("40 + 2")).result });
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { resourceLimits: { stackSizeMb: 64 } });
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof runDeep>>>();
  worker.once("message", resolve);
  worker.once("error", reject);
  try {
    return await promise;
  } finally {
    await worker.terminate();
  }
}

test("10,000 frames of a simple function work", async () => {
  assert.equal((await runDeep("const f = n => n === 0 ? 0 : 1 + f(n - 1);\nf(10_000)")).repr, "10000");
});

for (const [what, code] of [
  ["a function", "const f = () => f();\nf()"],
  ["text of itself", "class A { toString() { return `${this}` } }\nString(new A())"],
  ["a chain of proxies", "let q = {};\nfor (let i = 0; i < 100_000; i++) q = new Proxy(q, {});\nq.x"],
  ["nested arrays made flat", "const t = [];\nlet u = t;\nfor (let i = 0; i < 300_000; i++) { const v = []; u.push(v); u = v }\nt.flat(Infinity)"],
  ["brackets in the code", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
] as const) {
  test(`recursion without end through ${what} is an error that leaves the sandbox whole`, async () => {
    const { error, after } = await runDeep(code);
    assert.equal(error?.message, "Maximum call stack size exceeded");
    assert.equal(after, 42);
  });
}

test("recursion without end can be caught", async () => {
  const { repr } = await runDeep("let n = 0;\nconst f = () => { n++; f() };\ntry { f() } catch (e) { [e.name, n > 10_000] }");
  assert.equal(repr, "[ 'RangeError', true ]");
});

test("JSON nested 200,000 deep gives a bounded value or an error", async () => {
  const { repr, error, after } = await runDeep("JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))");
  assert.ok(repr === "[ [ [ [Array] ] ] ]" || error?.type === "RangeError");
  assert.equal(after, 42);
});
