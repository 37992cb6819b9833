import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, ON_DENO } from "./driver.ts";

test("with --profile=on a call tells on stderr where its time went, and its answer stays the same", { skip: ON_DENO && "the clocks of its threads can't be compared" }, async () => {
  await using server = await connect(["--profile=on"]);
  const outcome = await server.run("javascript", "6 * 7");
  assert.equal(outcome.result, 42);
  // It is told once the answer is on its way.
  const until = performance.now() + 5_000;
  while (!server.stderr().includes("\n") && performance.now() < until) await sleep(10);
  const line = server.stderr().split("\n").find((text) => text.startsWith("belljar: call ")) ?? "";
  const stages = [...line.matchAll(/([a-z ]+) \d+\.\d\d(?:,|$)/g)].map(([, name = ""]) => name.trim());
  assert.deepEqual(stages, ["reading", "to the engine", "wait for a thread", "to the thread", "a sandbox", "the turn", "its outcome", "back to the engine", "back to the server", "its words", "its line"]);
});

test("without the switch nothing is told", async () => {
  await using server = await connect();
  await server.run("javascript", "6 * 7");
  assert.equal(server.stderr(), "");
});
