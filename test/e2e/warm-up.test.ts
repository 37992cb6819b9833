import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "../../src/policy/outcome.ts";
import { connect, descendants, type Connection } from "./driver.ts";

const options = { skip: process.platform !== "linux" && "only Linux tells here what a thread that idles has done" };

/** What a fresh sandbox shows of itself, and would show of turns before it: heap, ids, hashes, counters, files, variables. */
const VIEWS = {
  python: `import gc, os, sys, threading
def tree(top):
    for folder, folders, files in os.walk(top):
        for name in sorted(folders) + sorted(files):
            path = os.path.join(folder, name)
            yield path, os.lstat(path).st_size, os.lstat(path).st_ino
{
    "garbage": [gc.get_count(), str(gc.get_stats()), len(gc.get_objects())],
    "ids": [id(object()), id([]), hash("a"), hash(b"b")],
    "counts": [sys.getrefcount(None), sys.getunicodeinternedsize(), threading.active_count(), os.getpid()],
    "modules": sorted(sys.modules),
    "names": dir(),
    "files": [list(tree(top)) for top in ("/work", "/tmp", "/dev")],
    "place": [os.getcwd(), sorted(os.environ.items()), os.listdir("/")],
    "opened": [os.open(path, flags) for path, flags in (("/dev/null", os.O_RDONLY), ("/work/new", os.O_CREAT | os.O_WRONLY))],
}`,
  javascript: `const fs = require("fs");
({
  names: Object.getOwnPropertyNames(globalThis),
  shared: Object.keys(globalThis).length,
  files: ["/", "/work", "/tmp", "/dev"].map((folder) => fs.readdirSync(folder)),
  place: [process.cwd(), process.env, process.pid],
  timer: String(setTimeout(() => {}, 0)),
  stack: new Error("x").stack,
})`,
} as const;

/** What the clock says that no code can set, in milliseconds. */
const CLOCKS = { python: "import time\ntime.monotonic() * 1000", javascript: "performance.now()" } as const;
const RANDOMS = { python: "import random, uuid\n[random.random(), str(uuid.uuid4())]", javascript: "[Math.random(), crypto.randomUUID()]" } as const;

/** The processor time of the server and its engine, in the kernel's ticks. */
function ticks(server: Connection): number {
  const ofOne = (pid: number): number => {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  };
  return [server.pid, ...descendants(server.pid)].reduce((sum, pid) => sum + ofOne(pid), 0);
}

/** Waits until the threads, which have nothing to do, have done what they do then; the ticks that it took. */
async function idle(server: Connection): Promise<number> {
  const first = ticks(server);
  let last = -1;
  while (ticks(server) - last > 1) {
    last = ticks(server);
    await sleep(1_500);
  }
  return last - first;
}

for (const language of ["python", "javascript"] as const) {
  test(`${language}: the turns that an idle thread runs to warm up leave a fresh sandbox as it was`, options, async () => {
    await using server = await connect();
    // It comes with the start, before a thread has been idle.
    const before = await server.run(language, VIEWS[language]);
    assert.equal(before.status, "ok", JSON.stringify(before.error));
    assert.ok((await idle(server)) > 3, "the thread has run nothing while it was idle");
    // As many at once as there are threads that take turns, and then again where turns have been.
    const both = (): Promise<readonly Outcome[]> => Promise.all([1, 2].map(() => server.run(language, VIEWS[language])));
    for (const after of [...(await both()), ...(await both())]) {
      assert.deepEqual(after.result, before.result);
      assert.deepEqual({ ...after.usage, wall_ms: 0 }, { ...before.usage, wall_ms: 0 });
      assert.equal(after.stdout + after.stderr, "");
    }
  });

  test(`${language}: a fresh sandbox's clock starts with its run, however long it has stood ready, and its chance is its own`, options, async () => {
    await using server = await connect();
    const seen = new Set<unknown>();
    for (let round = 0; round < 4; round += 1) {
      if (round === 1) await idle(server);
      const { result, usage } = await server.run(language, CLOCKS[language]);
      assert.ok(Number(result) <= usage.wall_ms + 0.1, `${String(result)} ms in a run of ${String(usage.wall_ms)} ms`);
      for (const value of Object.values(Object((await server.run(language, RANDOMS[language])).result))) seen.add(value);
    }
    assert.equal(seen.size, 8);
  });
}
