import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { isBelljarError } from "../../src/base/errors.ts";
import { assetFolder, assetText, isPacked, openAsset, workerEntry } from "../../src/engine/assets.ts";

test("an asset that is not there is an error of ours that names it", () => {
  assert.throws(() => openAsset("no-such-asset"), (error) => {
    assert.ok(isBelljarError(error, "ASSET_MISSING"));
    assert.match(error.message, /no-such-asset/);
    return true;
  });
});

test("run from source, assets are read from what the build made", () => {
  assert.equal(isPacked(), false);
  assert.match(assetFolder(), /dist[\\/]guests[\\/]$/);
  assert.match(assetText("versions.json"), /"numpy"/);
});

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
