import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../../src/policy/outcome.ts";
import { connect, ON_DENO } from "./driver.ts";
import { NOTEBOOK } from "./notebook.ts";
import { startStateful, type StatefulServer } from "./state.ts";

const skip = ON_DENO ? "needs the right to write to a folder" : process.platform === "linux" ? false : "reads /proc";
/** Large imports are slow on a busy machine. */
const PATIENT = { timeout_ms: 110_000 };
const ALLOWED = "--timeout-ms=110000";

/** What a reader is told of a turn; tracebacks number the turns of a sandbox. */
function told({ status, result, repr, stdout, error }: Outcome): unknown {
  return { status, result, repr, stdout, error: error?.type };
}

const SOFT = "while True: pass";
const HARD = "while True:\n    try:\n        df = None\n        while True: pass\n    except BaseException: pass";

/** What happens between two turns; each gives the name of the sandbox to go on in. */
const BETWEEN: Readonly<Record<string, (server: StatefulServer, name: string) => Promise<string>>> = {
  async timeout(server, name) {
    assert.equal((await server.now().run("python", SOFT, { sandbox: name, timeout_ms: 100 })).status, "timeout");
    return name;
  },
  async "hard timeout"(server, name) {
    const { status, notes } = await server.now().run("python", HARD, { sandbox: name, timeout_ms: 100 });
    assert.equal(status, "timeout");
    assert.match(notes?.join() ?? "", /exactly as it was before/);
    return name;
  },
  async fork(server, name) {
    const to = `${name}f`;
    const { isError, text } = await server.now().call("fork_sandbox", { from: name, to, reseed: false });
    assert.equal(isError, false, text);
    await server.now().run("python", "df = gen = rows = acc = log = None", { sandbox: name });
    return to;
  },
  async eviction(server, name) {
    await server.now().run("javascript", "1", { sandbox: "other" });
    const { structured } = await server.now().call("list_sandboxes", {});
    const found = Object(structured).sandboxes.find((info: { name: string }) => info.name === name);
    assert.equal(found.stored_bytes, 0);
    assert.ok(found.disk_bytes > 0);
    return name;
  },
  async restart(server, name) {
    await server.restart();
    return name;
  },
  async crash(server, name) {
    await server.crash();
    return name;
  },
};

const PLAN: Readonly<Record<number, keyof typeof BETWEEN>> = {
  3: "timeout",
  5: "fork",
  6: "hard timeout",
  8: "timeout",
  9: "eviction",
  11: "timeout",
  12: "hard timeout",
  13: "restart",
  15: "crash",
  16: "timeout",
  17: "eviction",
  18: "crash",
  19: "hard timeout",
  20: "fork",
  21: "timeout",
  22: "hard timeout",
  24: "restart",
  25: "timeout",
  28: "crash",
  29: "fork",
};

test("thirty turns answer as one interpreter does, through forks, timeouts, evictions, restarts and kill -9", { skip }, async () => {
  assert.equal(NOTEBOOK.length, 30);
  await using plain = await connect([ALLOWED]);
  await using server = await startStateful(["--sandboxes=1", ALLOWED]);
  let name = "n";
  for (const [index, code] of NOTEBOOK.entries()) {
    const happening = PLAN[index];
    if (happening !== undefined) name = (await BETWEEN[happening]?.(server, name)) ?? name;
    const expected = await plain.run("python", code, { sandbox: "n", ...PATIENT });
    const given = await server.now().run("python", code, { sandbox: name, ...PATIENT });
    assert.deepEqual(told(given), told(expected), `turn ${String(index + 1)} after ${happening ?? "nothing"}: ${code}`);
    assert.equal(expected.status, code === "1 / 0" ? "error" : "ok", `${code}\n${expected.error?.traceback ?? ""}`);
  }
});
