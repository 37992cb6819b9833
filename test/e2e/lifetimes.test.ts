import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { allGone, COMMAND, connect, type Connection, descendants, isAlive, ON_DENO, startRaw } from "./driver.ts";

const linux = process.platform === "linux" ? false : "reads /proc";
const engine = ON_DENO ? "the engine lives in the server's process there" : linux;

const LOOP = { name: "execute_python", arguments: { code: "while True: pass", timeout_ms: 20_000 } };
const startLoop = async (server: { send: (message: object) => void; output: () => string }): Promise<void> => {
  server.send({ id: 1, method: "tools/call", params: { ...LOOP, _meta: { progressToken: 1 } } });
  while (!server.output().includes("notifications/progress")) await sleep(10);
};

test("a closed input ends the server and all it started", { skip: linux }, async () => {
  await using server = startRaw();
  await server.response(0);
  const pids = [server.child.pid ?? 0, ...descendants(server.child.pid ?? 0)];
  server.child.stdin.end();
  assert.deepEqual(await server.exited, { code: 0, signal: null });
  await allGone(pids, 1_000);
});

test("a closed input and output in the middle of a run end all within two seconds", { skip: linux }, async () => {
  await using server = startRaw();
  await startLoop(server);
  const pids = [server.child.pid ?? 0, ...descendants(server.child.pid ?? 0)];
  server.child.stdin.end();
  server.child.stdout.destroy();
  await allGone(pids, 2_000);
});

test("a client that says goodbye in the middle of a run is left by all within three seconds", { skip: linux }, async () => {
  const server = await connect();
  server.run("python", "while True: pass", { timeout_ms: 20_000 }).catch(() => {});
  while (!(await server.call("list_executions", {})).text.includes("running")) await sleep(10);
  const pids = [server.pid, ...descendants(server.pid)];
  await server[Symbol.asyncDispose]();
  await allGone(pids, 1_000);
});

test("requests that are piped in before the input ends are answered", async () => {
  await using server = startRaw();
  server.send({ id: 1, method: "tools/call", params: { name: "execute_javascript", arguments: { code: "6 * 7" } } });
  server.child.stdin.end();
  assert.equal(Object(await server.response(1)).result.structuredContent.result, 42);
  assert.equal((await server.exited).code, 0);
});

test("calls that are piped in before the input ends are answered, those that wait too, each by its own deadline", async () => {
  await using server = startRaw(["--workers=1"]);
  const call = (id: number, code: string, timeout_ms: number): void =>
    server.send({ id, method: "tools/call", params: { name: "execute_python", arguments: { code, timeout_ms } } });
  call(1, "import time\ntime.sleep(2.5)\n1", 20_000);
  call(2, "while True: pass", 300);
  call(3, "3", 20_000);
  server.child.stdin.end();
  const outcomes = [];
  for (const id of [1, 2, 3]) outcomes.push(Object(await server.response(id)).result.structuredContent);
  assert.deepEqual(outcomes.map(({ status, result }) => [status, result]), [["ok", 1], ["timeout", undefined], ["ok", 3]]);
  assert.equal((await server.exited).code, 0);
});

test("an input that is closed at start ends the server at once", async () => {
  const [command = "", ...args] = COMMAND;
  const child = spawn("env", ["-i", command, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
});

test("an output that nobody reads any more ends the server", { skip: linux }, async () => {
  await using server = startRaw();
  await server.response(0);
  const pids = [server.child.pid ?? 0, ...descendants(server.child.pid ?? 0)];
  server.child.stdout.destroy();
  for (let id = 1; id < 20 && isAlive(pids[0] ?? 0); id += 1) {
    server.send({ id, method: "ping" });
    await sleep(50);
  }
  await allGone(pids, 2_000);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends the server in the middle of a run`, { skip: linux }, async () => {
    await using server = startRaw();
    await startLoop(server);
    const pids = [server.child.pid ?? 0, ...descendants(server.child.pid ?? 0)];
    server.child.kill(signal);
    await allGone(pids, 2_000);
  });
}

test("kill -9 of the server in the middle of a run leaves no engine", { skip: linux }, async () => {
  await using server = startRaw();
  await startLoop(server);
  const pids = [server.child.pid ?? 0, ...descendants(server.child.pid ?? 0)];
  server.child.kill("SIGKILL");
  await allGone(pids, 2_000);
});

test("kill -9 of the client ends server and engine within two seconds, though the pipes stay open", { skip: linux }, async () => {
  // The client is a shell that starts the server and waits; the pipes are this test's, so they outlive it.
  const shell = spawn("sh", ["-c", '"$@"; exit', "sh", "env", "-i", ...COMMAND], { stdio: ["pipe", "pipe", "ignore"] });
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const send = (message: object): void => void shell.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "raw", version: "1" };
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  await startLoop({ send, output: () => output });
  const pids = descendants(shell.pid ?? 0);
  assert.ok(pids.length >= (ON_DENO ? 1 : 2), "server and engine run");
  shell.kill("SIGKILL");
  await allGone(pids, 2_000);
});

test("kill -9 of the engine in the middle of a run answers that call as crashed, and the next one works", { skip: engine }, async () => {
  await using server = await connect();
  await server.run("python", "1");
  const [child, ...more] = descendants(server.pid);
  assert.ok(child !== undefined && more.length === 0, "the server has one child, the engine");
  const run = server.run("python", "while True: pass", { timeout_ms: 20_000 });
  await sleep(500);
  process.kill(child, "SIGKILL");
  const outcome = await run;
  assert.equal(outcome.status, "crashed");
  assert.match(outcome.error?.message ?? "", /its process ended/);
  assert.equal((await server.run("python", "6 * 7")).result, 42);
  assert.equal((await server.run("javascript", "6 * 7")).result, 42);
});

test("a named sandbox that went with its engine is told to be lost, a fork too, and one that was closed is not", { skip: engine }, async () => {
  await using server = await connect();
  for (const sandbox of ["gone", "closed"]) await server.run("javascript", "var x = 1", { sandbox });
  await server.call("fork_sandbox", { from: "gone", to: "copy" });
  await server.call("close_sandbox", { sandbox: "closed" });
  for (const pid of descendants(server.pid)) process.kill(pid, "SIGKILL");
  await sleep(500);
  const told = [];
  for (const sandbox of ["gone", "copy", "closed", "new"]) {
    const { notes = [] } = await server.run("javascript", "typeof x", { sandbox });
    told.push(notes.some((note) => note.includes("was lost when its process ended")));
  }
  assert.deepEqual(told, [true, true, false, false]);
});

test("a run is killed by the id of its first progress notification", async () => {
  await using server = await connect();
  const { promise, resolve } = Promise.withResolvers<string>();
  const run = server.call(
    "execute_python",
    { code: "print('begun', flush=True)\nwhile True: pass", timeout_ms: 20_000 },
    { onProgress: ({ message = "" }) => resolve(/^Execution (\w+):/.exec(message)?.[1] ?? "") },
  );
  const execution_id = await promise;
  const { text } = await server.call("list_executions", {});
  assert.match(text, new RegExp(`^${execution_id}: Python, running for `));
  await sleep(300);
  assert.equal((await server.call("kill_execution", { execution_id })).isError, false);
  const answer = await run;
  assert.equal(Object(answer.structured).status, "killed");
  assert.equal(Object(answer.structured).stdout, "begun\n");
  assert.equal((await server.run("python", "6 * 7")).result, 42);
});

test("a cancelled call stops its run", async () => {
  await using server = await connect(["--workers=1"]);
  await server.run("python", "1");
  const controller = new AbortController();
  const args = { code: "while True: pass", timeout_ms: 20_000 };
  const run = server.call("execute_python", args, { signal: controller.signal });
  run.catch(() => {});
  await sleep(300);
  controller.abort();
  await assert.rejects(run);
  const started = performance.now();
  assert.equal((await server.run("python", "6 * 7")).result, 42);
  assert.ok(performance.now() - started < 5_000, "its worker is free again");
});

const HOG = "x = bytearray(b'x') * 200_000_000\nprint('full', flush=True)\nwhile True: pass";

/** Starts a run that fills 200 MB and loops, and stops it when it says so. */
async function stopHog(server: Connection, how: "kill" | "cancel"): Promise<void> {
  const controller = new AbortController();
  const { promise: full, resolve } = Promise.withResolvers<string>();
  const run = server.call(
    "execute_python",
    { code: HOG, timeout_ms: 20_000 },
    {
      signal: controller.signal,
      onProgress: ({ message = "" }) => message.endsWith("; full") && resolve(/^Execution (\w+):/.exec(message)?.[1] ?? ""),
    },
  );
  const ended = run.then(() => "answered", () => "cancelled");
  const execution_id = await full;
  if (how === "cancel") controller.abort();
  else await server.call("kill_execution", { execution_id });
  assert.equal(await ended, how === "cancel" ? "cancelled" : "answered");
}

for (const how of ["kill", "cancel"] as const) {
  test(`threads and memory of the engine come back after each ${how}`, { skip: engine }, async () => {
    await using server = await connect(["--workers=2"]);
    await server.run("python", "1");
    const [pid = 0] = descendants(server.pid);
    const threads = (): number => readdirSync(`/proc/${pid}/task`).length;
    const residentMb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
    for (let warm = 0; warm < 3; warm += 1) await stopHog(server, how);
    await sleep(2_000);
    const before = { threads: threads(), mb: residentMb() };
    for (let time = 0; time < 5; time += 1) {
      await stopHog(server, how);
      for (const until = performance.now() + 10_000; performance.now() < until && residentMb() > before.mb + 100; ) await sleep(50);
      assert.ok(residentMb() <= before.mb + 100, `${residentMb()} MiB after ${before.mb}`);
      assert.ok(threads() <= before.threads, `${threads()} threads after ${before.threads}`);
    }
    assert.equal((await server.run("python", "6 * 7")).result, 42);
  });
}
