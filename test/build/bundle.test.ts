import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIST } from "../../build/paths.ts";

/** What Node ends a process for when one of its threads loads it and the snapshot that the process began with had loaded it too. */
const ENDS = ["child_process", "crypto", "http", "https", "net", "stream/web", "tls", "tty", "v8"];

function loadedBy(script: string): Set<string> {
  return new Set([...readFileSync(join(DIST, script), "utf8").matchAll(/require\("node:([\w/]+)"\)/g)].map(([, name = ""]) => name));
}

test("threads load nothing of Node's that would end a process which began with a snapshot", () => {
  const loaded = loadedBy("worker.cjs");
  assert.ok(loaded.has("worker_threads"), "there is something to look at");
  assert.deepEqual(ENDS.filter((name) => loaded.has(name)), []);
});

test("what threads too need of such modules is not loaded before it is called", () => {
  const program = readFileSync(join(DIST, "belljar.cjs"), "utf8");
  assert.ok(!loadedBy("belljar.cjs").has("crypto"));
  assert.match(program, /process\.getBuiltinModule\("node:crypto"\)/);
});
