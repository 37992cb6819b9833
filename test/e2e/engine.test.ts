import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { COMMAND, connect, descendants, ON_DENO } from "./driver.ts";

const [command = "", ...first] = COMMAND;
const skip = ON_DENO ? "on Deno the engine has no process of its own" : false;
const linux = process.platform === "linux" ? skip : "reads /proc";

test("the engine's process has nothing of the user's environment, only the right to start threads, and nothing open but its own executable", { skip: linux }, async () => {
  await using server = await connect();
  await server.run("javascript", "1");
  const [engine, ...others] = descendants(server.pid);
  assert.ok(engine !== undefined);
  assert.deepEqual(others, []);
  const read = (file: string): string[] => readFileSync(`/proc/${String(engine)}/${file}`, "utf8").split("\0").filter(Boolean);
  const rights = read("cmdline").join(" ").match(/--(?:permission|allow-[\w-]+)/g);
  assert.deepEqual(rights, ["--permission", "--allow-worker"]);
  // The channel to the server is told by a variable, which Node itself sets.
  assert.deepEqual(read("environ").filter((line) => !/^(?:NODE_CHANNEL_|MALLOC_|GLIBC_TUNABLES=)/.test(line)), []);
  const open = readdirSync(`/proc/${String(engine)}/fd`).map((fd) => readlinkSync(`/proc/${String(engine)}/fd/${fd}`)).filter((path) => path.startsWith("/") && !path.startsWith("/dev/"));
  assert.deepEqual(open.filter((path) => path !== realpathSync(command)), []);
});

test("the user's NODE_OPTIONS is not heard", { skip }, async () => {
  const env = { NODE_OPTIONS: `--require=${join(tmpdir(), "belljar-no-such-file.cjs")}` };
  const { stdout } = await promisify(execFile)(command, [...first, "run", "-c", "6 * 7"], { env });
  assert.equal(stdout, "42\n");
});

test("kill -9 of the engine costs the running call alone: the one that waits behind it is answered", { skip: linux }, async () => {
  await using server = await connect(["--workers=1"]);
  await server.run("python", "1");
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const running = server.call("execute_python", { code: "while True: pass" }, { onProgress: () => resolve() });
  await started;
  const waiting = server.run("python", "6 * 7");
  const { text } = await server.call("list_executions", {});
  assert.match(text, /: Python, running for .*\n.*: Python, queued for /);
  for (const engine of descendants(server.pid)) process.kill(engine, "SIGKILL");
  assert.match((await running).text, /^error: Crashed: /);
  assert.equal((await waiting).result, 42);
});
