import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

const DROPPED = "The timers that earlier runs had left pending are dropped, since one of them was running when the run before was stopped.";
const fate = (name: string): string =>
  `The sandbox "${name}" is as it was before this run, files too, but for the timers that earlier runs had left pending: one of them ran when this run was stopped, so the next run drops them.`;

const POISON = {
  "burns all fuel": "let x = 1;\nsetInterval(() => { x = 2; for (;;); }, 600);\nx",
  "burns all fuel after a wait": "let x = 1;\nsetInterval(async () => { await 0; x = 2; for (;;); }, 600);\nx",
  "swallows its interrupt": "let x = 1;\nsetInterval(() => { for (;;) try { x = 2; for (;;); } catch {} }, 600);\nx",
  "fills the memory": "let x = 1;\nsetInterval(() => { for (let a = [];;) try { x = 2; for (;;) a.push(new Uint8Array(1e6)); } catch {} }, 600);\nx",
} as const;
for (const [title, code] of Object.entries(POISON)) {
  test(`a timer that ${title} costs one later run, and then is dropped`, async () => {
    const sandbox = title.replaceAll(" ", "-");
    const run = (text: string) => server.run("javascript", text, { sandbox, timeout_ms: 20_000, fuel: 200_000_000 });
    assert.equal((await run(code)).result, 1);
    await new Promise((done) => setTimeout(done, 650));
    const spoiled = await run("x");
    assert.ok(["timeout", "out_of_fuel", "out_of_memory"].includes(spoiled.status), spoiled.status);
    assert.ok(spoiled.notes?.includes(fate(sandbox)), JSON.stringify(spoiled));
    const next = await run("x");
    assert.deepEqual([next.status, next.result, next.notes], ["ok", 1, [DROPPED]]);
    const last = await run("x");
    assert.deepEqual([last.status, last.result, last.notes], ["ok", 1, undefined]);
  });
}

test("a fork of a sandbox with such a timer drops it too", async () => {
  const run = (sandbox: string, text: string) => server.run("javascript", text, { sandbox, fuel: 100_000_000 });
  await run("from", POISON["burns all fuel"]);
  await new Promise((done) => setTimeout(done, 650));
  assert.equal((await run("from", "x")).status, "out_of_fuel");
  await server.call("fork_sandbox", { from: "from", to: "to" });
  for (const name of ["from", "to"]) assert.deepEqual((await run(name, "x")).notes, [DROPPED]);
});

test("timers stay when code of the run's own was what was stopped", async () => {
  const run = (text: string) => server.run("javascript", text, { sandbox: "kind", timeout_ms: 400 });
  await run("let ticks = 0;\nsetInterval(() => { ticks += 1; }, 20);");
  const hard = await run("for (;;) try { for (;;); } catch {}");
  assert.equal(hard.status, "timeout");
  assert.equal(hard.notes?.[0], 'The sandbox "kind" is exactly as it was before this run, files too.');
  const next = await run("ticks");
  assert.ok(Number(next.result) >= 1, JSON.stringify(next));
  assert.match(next.notes?.[0] ?? "", /^1 timer is still pending/);
});

test("a timer that is stopped at the deadline does not run again, and the others stay", async () => {
  const run = (text: string) => server.run("javascript", text, { sandbox: "soft", timeout_ms: 400 });
  await run("let ticks = 0;\nsetInterval(() => { for (;;); }, 600);\nsetInterval(() => { ticks += 1; }, 1_300);\nticks");
  await new Promise((done) => setTimeout(done, 650));
  assert.equal((await run("1")).status, "timeout");
  await new Promise((done) => setTimeout(done, 700));
  const next = await run("ticks");
  assert.deepEqual([next.status, Number(next.result) >= 1], ["ok", true], JSON.stringify(next));
});
