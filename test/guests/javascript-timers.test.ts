import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openSession, type RunOptions } from "./javascript-session.ts";

async function keptSession() {
  const session = await openSession();
  return (code: string, options?: RunOptions) => session.run(code, { ...options, kept: true });
}

test("in a kept sandbox a turn ends with its code, and a timer that is pending goes on in the next", async () => {
  const run = await keptSession();
  const first = await run("let fired = 0; setTimeout(() => { fired += 1; console.log('late') }, 1_500); fired");
  assert.deepEqual([first.status, first.result, first.stdout], ["ok", 0, ""]);
  assert.match(first.notes?.[0] ?? "", /^1 timer is still pending, the first due in \d+ ms/);
  assert.equal((await run("fired")).result, 0);
  await sleep(1_510);
  const next = await run("fired");
  assert.deepEqual([next.result, next.stdout, next.notes], [1, "late\n", undefined]);
});

test("what is due at once still belongs to its turn, and a promise is waited for", async () => {
  const run = await keptSession();
  assert.equal((await run("setTimeout(() => console.log(2), 0); setImmediate(() => console.log(3)); console.log(1)")).stdout, "1\n2\n3\n");
  assert.equal((await run("await new Promise((done) => setTimeout(() => done('late'), 90))")).result, "late");
});

test("an interval goes on from turn to turn until it is cleared, and does not hold one up", async () => {
  const run = await keptSession();
  await run("let n = 0; const every = setInterval(() => { n += 1 }, 5); 0");
  const { result } = await run("n");
  assert.ok(typeof result === "number" && result >= 1);
  const { notes } = await run("clearInterval(every); n = 0");
  assert.equal(notes, undefined);
  assert.equal((await run("n")).result, 0);
});

test("a chain of timers without end does not hold a turn up", async () => {
  const run = await keptSession();
  const { status, notes } = await run("let n = 0; const tick = () => { n += 1; setTimeout(tick, 0) }; tick(); 0", { deadlineMs: 5_000 });
  assert.equal(status, "ok");
  assert.match(notes?.[0] ?? "", /^1 timer is still pending/);
});

test("a turn that fails keeps its timers, one that is stopped before its code is done drops them", async () => {
  const run = await keptSession();
  await run("let seen = []; setTimeout(() => seen.push('failed'), 60); throw new Error('x')");
  const stopped = await run("setTimeout(() => seen.push('stopped'), 150); await new Promise((done) => setTimeout(done, 1e6)); seen.push('never')", { deadlineMs: 100 });
  assert.equal(stopped.error?.type, "Interrupted");
  await sleep(60);
  assert.deepEqual((await run("seen")).result, ["failed"]);
});

test("a timer of an earlier turn that fails is told of, does not run again, and is not the turn's failure", async () => {
  const run = await keptSession();
  await run("let n = 0; setInterval(() => { n += 1; throw new Error('in the interval') }, 70); 0");
  await sleep(80);
  const { status, result, stderr } = await run("n");
  assert.deepEqual([status, result], ["ok", 1]);
  assert.match(stderr, /^Uncaught, in what an earlier run began: [^]*in the interval/);
  await sleep(80);
  assert.deepEqual((await run("n")).result, 1);
});

test("a timer that never ends is dropped when it is stopped, and the answer says that the code had not begun", async () => {
  const run = await keptSession();
  await run("let n = 0; setInterval(() => { for (;;); }, 70); 0");
  await sleep(80);
  const { error, notes } = await run("n += 1", { deadlineMs: 200 });
  assert.equal(error?.type, "Interrupted");
  assert.match(notes?.[0] ?? "", /had not begun/);
  assert.equal((await run("n += 1")).result, 1);
});

test("code that an earlier turn left waiting goes on when it can, and says nothing of the turn that lets it", async () => {
  const run = await keptSession();
  assert.match((await run("let go; const p = new Promise((done) => { go = done }); let seen = 0; await p; seen = 1; 'old'")).error?.message ?? "", /never settle/);
  const { status, result } = await run("go(); await null; await null; 'new'");
  assert.deepEqual([status, result], ["ok", "new"]);
  assert.equal((await run("seen")).result, 1);
});
