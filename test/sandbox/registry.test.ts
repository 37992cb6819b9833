import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Language } from "../../src/policy/limits.ts";
import { createRegistry, type Registry } from "../../src/sandbox/registry.ts";
import { type FakePool, fakePool, fakeStore, type FakeStore, turnOf } from "./fake-pool.ts";

interface Setup {
  readonly registry: Registry;
  readonly pool: FakePool;
  readonly store: FakeStore;
  /** Runs a turn and answers with its text. */
  readonly run: (name: string, code: string, id?: string) => Promise<string>;
  readonly clock: { now: number };
}

function setup({ most = 3, store = fakeStore(), persistent = false, mostStored = 5 } = {}): Setup {
  const pool = fakePool();
  const clock = { now: 0 };
  const pools = new Map<Language, FakePool>([["python", pool], ["javascript", pool]]);
  const stored = persistent ? { store, files: store.list(), most: mostStored, idleMs: 1_000 } : undefined;
  const registry = createRegistry({ pools, most, now: () => clock.now, ...(stored && { stored }) });
  let ids = 0;
  const run = async (name: string, code: string, id = `t${String((ids += 1))}`): Promise<string> => {
    clock.now += 1;
    const { outcome } = await registry.run(name, "python", turnOf(id, code));
    return `${outcome.repr ?? ""}${outcome.status === "ok" ? "" : `!${outcome.status}`}`;
  };
  return { registry, pool, store, run, clock };
}

const inMemory = (registry: Registry): string[] => registry.list().filter(({ storedBytes }) => storedBytes > 0).map(({ name }) => name);

test("turns of one sandbox that come at once each stand on what the one before left", async () => {
  const { run } = setup();
  assert.deepEqual(await Promise.all(["a", "b", "c", "d"].map((code) => run("s", code))), ["~a", "~ab", "~abc", "~abcd"]);
});

test("a turn that is stopped leaves the sandbox as before, one that fails keeps what it did", async () => {
  const { run } = setup();
  await run("s", "a");
  for (const status of ["killed", "out_of_fuel", "out_of_memory", "crashed"]) assert.equal(await run("s", `x!${status}`), `~ax!${status}`);
  assert.equal(await run("s", "b!error"), "~ab!error");
  assert.equal(await run("s", "c!timeout"), "~abc!timeout");
  assert.equal(await run("s", "d"), "~abcd");
});

test("a fork stands on what the running turn leaves, and both go on apart", async () => {
  const { registry, run } = setup();
  const first = run("s", "a");
  const made = await registry.fork({ from: "s", to: "f", reseed: false });
  assert.deepEqual([made.parent, made.turns, await first], ["s", 1, "~a"]);
  assert.deepEqual(await Promise.all([run("s", "1"), run("f", "2"), run("f", "3")]), ["~a1", "~a2", "~a23"]);
  await registry.fork({ from: "s", to: "g", reseed: true });
  assert.equal(await run("g", "4"), "~a1~4");
  assert.deepEqual(registry.list()[0]?.children, ["f", "g"]);
});

test("what can't be is refused with its reason", async () => {
  const { registry, run } = setup({ most: 2 });
  await run("s", "a");
  await assert.rejects(registry.run("s", "javascript", turnOf("j", "a")), { code: "REFUSED", message: /holds Python/ });
  await assert.rejects(registry.fork({ from: "none", to: "f", reseed: true }), { message: /no sandbox named "none"/ });
  await assert.rejects(registry.fork({ from: "s", to: "s", reseed: true }), { message: /is there already/ });
  await registry.fork({ from: "s", to: "f", reseed: true });
  await assert.rejects(run("more", "a"), { message: /2 named sandboxes are kept already/ });
});

test("a turn that waits behind another is stopped at once, and never runs", async () => {
  const { registry, pool, run } = setup();
  const first = run("s", "?a", "first");
  const second = run("s", "b", "second");
  await sleep(1);
  assert.equal(registry.kill("first", "kill_execution"), false, "that one is the pool's to stop");
  assert.equal(registry.kill("second", "kill_execution"), true);
  assert.equal(await second, "!killed");
  pool.open("first");
  assert.equal(await first, "~?a");
  assert.equal(await run("s", "c"), "~?ac");
});

test("closing stops what runs, refuses what waits, and the name begins anew", async () => {
  const { registry, run } = setup();
  await run("s", "a");
  const running = run("s", "?b", "running");
  const waiting = run("s", "c");
  waiting.catch(() => {});
  await sleep(1);
  assert.equal(await registry.close("s"), true);
  assert.equal(await registry.close("s"), false);
  assert.match(await running, /!killed$/);
  await assert.rejects(waiting, { message: /was closed before/ });
  assert.equal(await run("s", "d"), "~d");
});

test("an answer comes once what the turn left is stored, and the next registry goes on from it", async () => {
  const { run, store } = setup({ persistent: true });
  assert.equal(await run("s", "a"), "~a");
  assert.equal(store.files.get("s")?.text, "~a");
  await run("s", "b!crashed");
  assert.equal(store.files.get("s")?.text, "~a");
  const next = setup({ persistent: true, store });
  assert.deepEqual(next.store.loads, []);
  assert.deepEqual(next.registry.list().map(({ name, turns, storedBytes }) => [name, turns, storedBytes]), [["s", 1, 0]]);
  assert.equal(await next.run("s", "c"), "~ac");
});

test("a fork is stored at once, with how its random numbers are to go on", async () => {
  const { registry, run, store } = setup({ persistent: true });
  await run("s", "a");
  await registry.fork({ from: "s", to: "f", reseed: true });
  assert.equal(store.files.get("f")?.text, "~a");
  const next = setup({ persistent: true, store });
  assert.equal(await next.run("f", "b"), "~a~b");
  assert.equal(await next.run("s", "b"), "~ab");
});

test("with a store the longest unused goes from memory beyond the count, and comes back", async () => {
  const { registry, run, store } = setup({ persistent: true, most: 2 });
  for (const name of ["a", "b", "c"]) await run(name, name);
  await sleep(5);
  assert.deepEqual(inMemory(registry), ["b", "c"]);
  assert.equal(await run("a", "+"), "~a+");
  await sleep(5);
  assert.deepEqual([inMemory(registry), store.loads], [["a", "c"], ["a"]]);
  assert.equal((await registry.fork({ from: "b", to: "f", reseed: false })).name, "f");
  assert.equal(await run("f", "!"), "~b");
});

test("with a store the long unused goes from memory, without one it stays", async () => {
  for (const persistent of [true, false]) {
    const { registry, run, clock } = setup({ persistent });
    await run("old", "a");
    clock.now += 900;
    await run("new", "a");
    clock.now += 200;
    await sleep(5);
    registry.tidy();
    assert.deepEqual(inMemory(registry), persistent ? ["new"] : ["old", "new"]);
  }
});

test("what could not be stored says so, stays in memory, and is stored with the next turn", async () => {
  const { registry, run, store } = setup({ persistent: true, most: 1 });
  store.broken = "the disk is full";
  const { outcome } = await registry.run("s", "python", turnOf("1", "a"));
  assert.match(outcome.notes?.[0] ?? "", /could not be stored \(the disk is full\)/);
  await run("other", "x");
  await sleep(5);
  assert.deepEqual(inMemory(registry), ["s", "other"]);
  await assert.rejects(registry.fork({ from: "s", to: "f", reseed: true }), { message: /disk is full/ });
  assert.deepEqual(registry.list().map(({ name }) => name), ["s", "other"]);
  store.broken = undefined;
  assert.equal(await run("s", "b"), "~ab");
  assert.equal(store.files.get("s")?.text, "~ab");
});

test("stored sandboxes have a limit of their own", async () => {
  const { run } = setup({ persistent: true, most: 1, mostStored: 2 });
  await run("a", "1");
  await run("b", "1");
  await assert.rejects(run("c", "1"), { message: /2 named sandboxes are stored already/ });
});

test("closing removes what is stored, and what was running then is not stored again", async () => {
  const { registry, run, store } = setup({ persistent: true });
  await run("s", "a");
  const running = run("s", "?b!error", "running");
  await sleep(1);
  await registry.close("s");
  await running;
  await sleep(5);
  assert.deepEqual([...store.files], []);
});
