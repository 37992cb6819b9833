import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { NO_GRANTS } from "../../src/policy/grants.ts";
import type { Outcome } from "../../src/policy/outcome.ts";
import { openPool, type Pool } from "../../src/sandbox/pool.ts";

/** Stands for the thread's own script: does what the code of its turn says. */
const SCRIPT = `
const { parentPort, threadId } = require("node:worker_threads");
const usage = { wall_ms: 0, fuel: 0, memory_bytes: 0 };
const busyFor = (ms) => { for (const until = performance.now() + ms; performance.now() < until; ); };
const deeds = {
  answer: () => parentPort.postMessage({ kind: "done", finished: { outcome: { status: "ok", result: threadId, stdout: "", stderr: "", usage }, pictures: [], files: [] } }),
  throw: () => { throw new Error("a fault of the host's"); },
  reject: () => void Promise.reject(new Error("a fault of the host's")),
  heap: () => { for (const kept = []; ; ) kept.push(new Array(10_000).fill({})); },
  exit: () => process.exit(3),
  hang: () => { for (;;); },
  slow: () => { busyFor(1_500); deeds.answer(); },
  clean: () => { deeds.answer(); parentPort.postMessage({ kind: "clean" }); },
};
/** What the making ready of a sandbox takes: the turn begins after it. */
const making = { "late answer": () => busyFor(1_500), "never begin": () => { for (;;); } };
parentPort.on("message", ({ kind, code }) => {
  if (kind === "load") return parentPort.postMessage({ kind: "ready" });
  if (kind === "modules") return;
  making[code]?.();
  parentPort.postMessage({ kind: "begun" });
  deeds[code.split(" ").at(-1)]();
});
`;
const PARTS = { modules: Promise.resolve({}), rooms: Promise.resolve({}) };
const entry = { script: SCRIPT, options: { eval: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: 24 } } } as const;
/** Only what hangs comes to its deadline; filling a heap may take long on a busy machine. */
const wallTimeMs = (code: string): number => (["hang", "slow", "late answer"].includes(code) ? 100 : 60_000);
const LIMITS = { fuel: 1, memoryBytes: 1, outputBytes: 1, fileBytes: 1 };

let calls = 0;
async function run(pool: Pool, code: string): Promise<Outcome> {
  calls += 1;
  const { outcome } = await pool.run({ id: String(calls), code, limits: { ...LIMITS, wallTimeMs: wallTimeMs(code) }, files: [], profile: false, onStart: () => {} });
  return outcome;
}

const DEATHS = [
  ["throws", "throw", /^The sandbox broke: a fault of the host's\. /],
  ["leaves a rejection unhandled", "reject", /^The sandbox broke: a fault of the host's\. /],
  ["fills its heap", "heap", /^The sandbox broke: Worker terminated due to reaching memory limit: JS heap out of memory\. /],
  ["exits", "exit", /^The sandbox broke: its thread ended with code 3\. /],
  ["never comes back", "hang", /^The sandbox broke: it did not stop at its deadline\. /],
  ["never begins", "never begin", /^The sandbox broke: its sandbox could not be made ready\. /],
] as const;

for (const [title, deed, reason] of DEATHS) {
  test(`a thread that ${title} costs its own run an answer, is replaced, and queued calls go on`, async () => {
    await using pool = openPool({ language: "python", memoryBytes: 1, workers: 1, grants: NO_GRANTS, parts: PARTS, entry, patience: { readyMs: 3_000, answerMs: 500 } });
    await pool.ready;
    const first = await run(pool, "answer");
    const all = await Promise.all([deed, "answer", deed, "answer", "answer"].map((code) => run(pool, code)));
    assert.deepEqual(all.map(({ status }) => status), ["crashed", "ok", "crashed", "ok", "ok"]);
    for (const { error } of [all[0], all[2]].flatMap((outcome) => outcome ?? [])) assert.match(error?.message ?? "", reason);
    const threads = [first, all[1], all[3], all[4]].map((outcome) => outcome?.result);
    assert.equal(new Set(threads).size, 3, "a dead thread is not used again, a live one is");
  });
}

test("a sandbox that is long in the making costs a turn nothing of its time", async () => {
  const open = (readyMs: number, answerMs: number): Pool =>
    openPool({ language: "python", memoryBytes: 1, workers: 1, grants: NO_GRANTS, parts: PARTS, entry, patience: { readyMs, answerMs } });
  const end = async (pool: Pool, code: string): Promise<string> => {
    const { status, error } = await run(pool, code);
    return error === undefined ? status : error.message.slice(0, error.message.indexOf("."));
  };
  await using pool = open(30_000, 1_000);
  await pool.ready;
  assert.equal(await end(pool, "late answer"), "ok", "1,500 ms in the making");
  assert.equal(await end(pool, "slow"), "The sandbox broke: it did not stop at its deadline", "1,500 ms in the turn");
  await using hasty = open(1_000, 30_000);
  await hasty.ready;
  assert.equal(await end(hasty, "slow"), "ok", "what the making may take is nothing to the turn");
});

test("a hundred dead threads leave no more than are needed", async () => {
  await using pool = openPool({ language: "python", memoryBytes: 1, workers: 2, grants: NO_GRANTS, parts: PARTS, entry });
  await Promise.all(Array.from({ length: 100 }, () => run(pool, "exit")));
  assert.equal((await run(pool, "answer")).status, "ok");
  for (const until = performance.now() + 5_000; performance.now() < until && liveThreads() > 2; ) await sleep(20);
  assert.ok(liveThreads() <= 2, String(liveThreads()));
});

function liveThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Worker" || name === "MessagePort").length;
}

test("a turn goes to the thread that has answered last, unless that one still cleans up", async () => {
  await using pool = openPool({ language: "python", memoryBytes: 1, workers: 2, grants: NO_GRANTS, parts: PARTS, entry });
  await pool.ready;
  const threadOf = async (code: string): Promise<unknown> => {
    const { result } = await run(pool, code);
    // What follows the answer is a message of its own.
    await sleep(50);
    return result;
  };
  const threads = new Set([await threadOf("clean")]);
  while (threads.size < 2) for (const { result } of await Promise.all([run(pool, "clean"), run(pool, "clean")])) threads.add(result);
  await sleep(50);
  const last = await threadOf("clean");
  assert.deepEqual([await threadOf("clean"), await threadOf("answer")], [last, last]);
  const other = [...threads].find((thread) => thread !== last);
  assert.deepEqual([await threadOf("clean"), await threadOf("clean"), await threadOf("answer")], [other, other, other]);
  assert.equal(await threadOf("clean"), last, "where both clean up, the one that began first");
});

/** Two threads of a pool, each by what it calls itself. */
async function twoThreads(pool: Pool): Promise<Set<unknown>> {
  const threads = new Set<unknown>();
  while (threads.size < 2) for (const { result } of await Promise.all([run(pool, "clean"), run(pool, "clean")])) threads.add(result);
  return threads;
}

const SPARE = { language: "python", memoryBytes: 1_000, workers: 2, grants: NO_GRANTS, parts: PARTS, entry } as const;

test("threads that are long unused are ended but for the one that answered last, and others come when they are needed", async () => {
  await using pool = openPool({ ...SPARE, spareMs: 0 });
  await pool.ready;
  const before = await twoThreads(pool);
  const last = (await run(pool, "clean")).result;
  await sleep(50);
  pool.tidy();
  pool.tidy();
  assert.equal((await run(pool, "clean")).result, last);
  const [gone] = [...before.difference(new Set([last]))];
  const after = await twoThreads(pool);
  assert.ok(after.has(last) && !after.has(gone));
});

test("threads that were used lately stay, unless memory is short", async () => {
  let available = 1_000;
  await using pool = openPool({ ...SPARE, spareMs: 60_000, available: () => available });
  await pool.ready;
  const before = await twoThreads(pool);
  pool.tidy();
  assert.deepEqual(await twoThreads(pool), before);
  available = 999;
  await sleep(50);
  pool.tidy();
  const last = (await run(pool, "clean")).result;
  await sleep(500);
  assert.equal((await run(pool, "answer")).result, last, "none is started ahead");
  await sleep(50);
  assert.equal((await run(pool, "clean")).result, last, "the one that there is, though it still cleans up");
});

test("a thread that still cleans up is not ended", async () => {
  await using pool = openPool({ ...SPARE, spareMs: 0 });
  await pool.ready;
  const before = await twoThreads(pool);
  await Promise.all([run(pool, "answer"), run(pool, "answer")]);
  pool.tidy();
  assert.deepEqual(new Set((await Promise.all([run(pool, "answer"), run(pool, "answer")])).map(({ result }) => result)), before);
});

test("a turn that runs is not ended to tidy up, nor is the only thread", async () => {
  await using pool = openPool({ ...SPARE, workers: 1, spareMs: 0, available: () => 0 });
  await pool.ready;
  pool.tidy();
  const running = run(pool, "late answer");
  await sleep(100);
  pool.tidy();
  assert.equal((await running).status, "ok");
});
