import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { workerEntry } from "../../src/sandbox/worker-entry.ts";

test("a worker thread has no files but its program's, no processes, no sockets, no threads and no environment", async () => {
  const { options } = workerEntry();
  const file = join(mkdtempSync(join(tmpdir(), "belljar-rights-")), "secret.txt");
  writeFileSync(file, "not for a guest");
  const worker = new Worker(`import { parentPort, Worker, workerData } from "node:worker_threads";
    import { readFileSync, writeFileSync } from "node:fs";
    import { spawnSync } from "node:child_process";
    import { connect } from "node:net";
    const attempt = (act) => { try { act(); return "allowed"; } catch (error) { return error.code; } };
    const tries = {
      read: attempt(() => readFileSync(workerData)),
      write: attempt(() => writeFileSync(import.meta.dirname + "/written", "")),
      spawn: attempt(() => spawnSync(process.execPath, ["--version"])),
      thread: attempt(() => new Worker("0", { eval: true })),
      environment: Object.keys(process.env),
    };
    const socket = connect(9, "127.0.0.1");
    socket.on("error", (error) => parentPort.postMessage({ ...tries, connect: error.code }));`,
    { ...options, eval: true, workerData: file },
  );
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once("message", resolve).once("error", reject);
  const denied = "ERR_ACCESS_DENIED";
  try {
    assert.deepEqual(await promise, { read: denied, write: denied, spawn: denied, thread: denied, connect: denied, environment: [] });
  } finally {
    await worker.terminate();
    rmSync(dirname(file), { recursive: true });
  }
});

test("a fault in a thread is told by a message, and ends the thread alone", async () => {
  const { script, options } = workerEntry();
  const worker = new Worker(script, options);
  const message = once(worker, "message");
  const exit = once(worker, "exit");
  worker.postMessage({ kind: "run" });
  assert.deepEqual(await message, [{ kind: "failed", reason: "no guest is loaded" }]);
  assert.deepEqual(await exit, [1]);
});
