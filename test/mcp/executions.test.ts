import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { fakeSandboxes } from "./fake-sandboxes.ts";
import { openSession, textOf } from "./session.ts";

test("the first progress notification carries the id by which a run is listed and killed", async () => {
  const session = await openSession({ sandboxes: fakeSandboxes({ hang: true }) });
  const call = session.call("execute_python", { code: "while True: pass", sandbox: "s" }, { progressToken: "t" });
  const told = await session.waitFor(({ method }) => method === "notifications/progress");
  assert.deepEqual(told.params, {
    progressToken: "t",
    progress: 0,
    total: 30_000,
    message: "Execution run-1: 0 s, 0 instructions",
  });

  const listed = await session.call("list_executions", {});
  assert.equal(textOf(listed), "run-1: Python in the sandbox s, running for 1.2 s");
  assert.deepEqual(listed.structuredContent, {
    executions: [{ id: "run-1", language: "python", sandbox: "s", state: "running", elapsed_ms: 1_234 }],
  });

  const killed = await session.call("kill_execution", { execution_id: "run-1" });
  assert.equal(textOf(killed), "Execution run-1 is being stopped.");
  const ended = await call;
  assert.equal(ended.structuredContent?.["status"], "killed");
  assert.match(textOf(ended), /Killed: Stopped by a call of kill_execution\./);
  assert.equal(ended.isError, true);
  assert.equal(textOf(await session.call("list_executions", {})), "No execution waits or runs.");
  await session.close();
});

test("an id that nothing has is refused", async () => {
  const session = await openSession();
  const answer = await session.call("kill_execution", { execution_id: "nothing" });
  assert.equal(answer.isError, true);
  assert.equal(
    textOf(answer),
    'No execution with the id "nothing" waits or runs. It may have ended; list_executions shows those that go on.',
  );
  await session.close();
});

test("a cancelled request stops its run and gets no answer", async () => {
  const sandboxes = fakeSandboxes({ hang: true });
  const session = await openSession({ sandboxes });
  void session.request("tools/call", { name: "execute_python", arguments: { code: "1" } });
  while (sandboxes.executions().length === 0) await sleep(1);
  session.notify("notifications/cancelled", { requestId: 2 });
  while (sandboxes.executions().length > 0) await sleep(1);
  await session.request("ping");
  assert.equal(session.messages.filter(({ id }) => id === 2).length, 0);
  await session.close();
});

test("closing the connection stops what runs", async () => {
  const sandboxes = fakeSandboxes({ hang: true });
  const session = await openSession({ sandboxes });
  void session.request("tools/call", { name: "execute_python", arguments: { code: "1" } });
  while (sandboxes.executions().length === 0) await sleep(1);
  await session.close();
  while (sandboxes.executions().length > 0) await sleep(1);
});

test("progress comes only when asked for, at most twice a second, with numbers that rise", async () => {
  const line = "half \ud83d";
  const progress = [0, 100, 200, 300].map((elapsedMs) => ({ executionId: "x", elapsedMs, fuel: 1_000, line }));
  const session = await openSession({ sandboxes: fakeSandboxes({ progress }) });
  await session.call("execute_python", { code: "1" });
  assert.equal(session.messages.filter(({ method }) => method !== undefined).length, 0);
  await session.call("execute_python", { code: "1" }, { progressToken: 7 });
  const told = session.messages.filter(({ method }) => method === "notifications/progress");
  assert.deepEqual(
    told.map(({ params }) => params?.["message"]),
    ["Execution x: 0 s, 1,000 instructions; half \ufffd"],
  );
  await session.close();
});
