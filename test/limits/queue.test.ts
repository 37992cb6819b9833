import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const server = await connect(["--workers=1", "--queue=3"]);
after(() => server[Symbol.asyncDispose]());
for (const language of ["javascript", "python"] as const) await server.run(language, "1");

const WAIT = "import time\ntime.sleep(0.4)";

/** Starts calls one after the other; the first runs, the others wait. */
async function start(count: number, code: (index: number) => string, args = {}): Promise<ReturnType<typeof server.run>[]> {
  const calls = [];
  for (let index = 0; index < count; index += 1) {
    calls.push(server.run("python", code(index), args));
    await sleep(30);
  }
  return calls;
}

test("as many calls as the limit says may wait, and one more is refused", async () => {
  const calls = await start(4, () => WAIT);
  await assertRefused(
    server,
    "execute_python",
    { code: "1" },
    "3 calls already wait for a sandbox, which is the most this server keeps (--queue). Try again when some have ended.",
  );
  for (const call of calls) assert.equal((await call).status, "ok");
  assert.equal((await server.run("python", "6 * 7")).result, 42);
});

test("calls are taken first come, first served", async () => {
  const order: number[] = [];
  const calls = await start(4, (index) => (index === 0 ? WAIT : String(index)));
  await Promise.all(calls.map(async (call, index) => call.then(() => order.push(index))));
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test("waiting in the queue does not count in the deadline", async () => {
  const calls = await start(3, () => WAIT, { timeout_ms: 700 });
  for (const call of calls) assert.equal((await call).status, "ok");
});

test("a long run of one language does not hold up the other", async () => {
  const [long] = await start(1, () => "while True: pass", { timeout_ms: 2_000 });
  const started = performance.now();
  assert.equal((await server.run("javascript", "6 * 7")).result, 42);
  assert.ok(performance.now() - started < 1_500);
  assert.equal((await long)?.status, "timeout");
});

test("a call that waits can be killed, and those behind it move up", async () => {
  const [first, second, third] = await start(3, (index) => (index === 0 ? "import time\ntime.sleep(1)" : String(index)));
  const { structured } = await server.call("list_executions", {});
  const executions: { id: string; state: string }[] = Object(structured).executions;
  assert.deepEqual(executions.map(({ state }) => state), ["running", "queued", "queued"]);
  await server.call("kill_execution", { execution_id: executions[1]?.id });
  assert.equal((await second)?.status, "killed");
  assert.equal((await first)?.status, "ok");
  assert.equal((await third)?.result, 2);
});

test("a call that waits can be cancelled", async () => {
  const [first] = await start(1, () => WAIT);
  const controller = new AbortController();
  const waiting = server.call("execute_python", { code: "1" }, { signal: controller.signal });
  await sleep(50);
  controller.abort();
  await assert.rejects(waiting);
  await first;
  const { text } = await server.call("list_executions", {});
  assert.equal(text, "No execution waits or runs.");
});
