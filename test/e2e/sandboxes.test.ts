import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Connection, descendants, ON_DENO, runCommand } from "./driver.ts";
import { startStateful } from "./state.ts";

const noFolder = ON_DENO ? "needs the right to write to a folder" : false;
const restarts = noFolder || (process.platform === "linux" ? false : "reads /proc");

/** Forks a sandbox after `make`, changes the original, and tells what each then answers to `look`. */
async function sides(
  server: Connection,
  language: "python" | "javascript",
  { make, change, look }: { readonly make: string; readonly change: string; readonly look: string },
): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  const say = async (sandbox: string, code: string): Promise<unknown> => {
    const { status, result, error } = await server.run(language, code, { sandbox });
    assert.equal(status, "ok", `${code}\n${error?.traceback ?? error?.message ?? ""}`);
    return result;
  };
  await say("one", make);
  const { isError, text } = await server.call("fork_sandbox", { from: "one", to: "two", reseed: false });
  assert.equal(isError, false, text);
  await say("one", change);
  for (const name of ["one", "two"]) results.push(await say(name, look));
  for (const sandbox of ["one", "two"]) await server.call("close_sandbox", { sandbox });
  return results;
}

const KINDS = {
  "python variables and objects": { make: "a = [1]", change: "a.append(2)", look: "a", expect: [[1, 2], [1]] },
  "python files": { make: "open('/work/f', 'w').write('old')", change: "open('/work/f', 'w').write('new')", look: "open('/work/f').read()", expect: ["new", "old"] },
  "python open files": { make: "f = open('/work/g', 'w+')\nf.write('abcdef')\nf.seek(0)\nf.read(1)", change: "f.read(2)", look: "f.read(1)", expect: ["d", "b"] },
  "python module globals": { make: "import json, decimal\ndecimal.getcontext().prec = 5", change: "json.mark = 1\ndecimal.getcontext().prec = 9", look: "[hasattr(json, 'mark'), decimal.getcontext().prec]", expect: [[true, 9], [false, 5]] },
  "python generators half-way": { make: "g = iter(range(9))\nnext(g)", change: "next(g)", look: "next(g)", expect: [2, 1] },
  "python databases in memory": { make: "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t (a)')\n0", change: "c.execute('insert into t values (1)')\n0", look: "c.execute('select count(*) from t').fetchone()[0]", expect: [1, 0] },
  "javascript variables and objects": { make: "let a = [1]", change: "a.push(2)", look: "a", expect: [[1, 2], [1]] },
  "javascript files": { make: "const fs = require('node:fs'); fs.writeFileSync('/work/f', 'old')", change: "fs.writeFileSync('/work/f', 'new')", look: "fs.readFileSync('/work/f', 'utf8')", expect: ["new", "old"] },
  "javascript globals": { make: "Array.prototype.mark = 1", change: "Array.prototype.mark = 2", look: "[].mark", expect: [2, 1] },
  "javascript generators half-way": { make: "function* f() { for (let n = 0; ; n += 1) yield n; }\nconst g = f(); g.next().value", change: "g.next().value", look: "g.next().value", expect: [2, 1] },
  "python figures": { make: "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\n0", change: "ax.plot([2, 1])\nax.set_title('one')\n0", look: "[len(ax.lines), ax.get_title()]", expect: [[2, "one"], [1, ""]] },
  "python pending tasks": { make: "import asyncio\nasync def work():\n    await asyncio.sleep(0.5)\n    return 'done'\ntask = asyncio.ensure_future(work())\nawait asyncio.sleep(0)", change: "await task", look: "task.done()", expect: [true, false] },
  "javascript pending timers": { make: "let fired = 0; const timer = setTimeout(() => { fired += 1 }, 400); 0", change: "clearTimeout(timer)", look: "await new Promise((done) => setTimeout(done, 420)); fired", expect: [0, 1] },
  "javascript pending promises": { make: "let done; const p = new Promise((r) => { done = r; }); let seen = 'pending'; p.then((v) => { seen = v; }); 0", change: "done('kept'); await p", look: "seen", expect: ["kept", "pending"] },
} as const;

test("what is made before a fork is on both sides, and what is changed after it on one", async (t) => {
  await using server = await connect();
  for (const [what, { expect, ...code }] of Object.entries(KINDS)) {
    await t.test(what, async () => {
      assert.deepEqual(await sides(server, what.startsWith("python") ? "python" : "javascript", code), expect);
    });
  }
});

test("timers and tasks that are pending go on after a fork, an eviction, a restart and a kill -9", { skip: restarts }, async () => {
  await using server = await startStateful(["--sandboxes=1"]);
  const make = {
    javascript: "let seen = []; for (const ms of [1, 1e6]) setTimeout(() => seen.push(ms), ms); const p = new Promise((done) => setTimeout(done, 300, 'kept')); 0",
    python: "import asyncio\nseen = []\nasync def work():\n    await asyncio.sleep(0.3)\n    seen.append(1)\n    return 'kept'\ntask = asyncio.ensure_future(work())\nawait asyncio.sleep(0)",
  } as const;
  const happenings: readonly (() => Promise<unknown>)[] = [
    () => server.now().run("javascript", "1", { sandbox: "other" }),
    () => server.restart(),
    () => server.crash(),
  ];
  for (const [language, code] of Object.entries(make)) {
    if (language !== "javascript" && language !== "python") continue;
    for (const [index, happen] of happenings.entries()) {
      const from: string = `${language}-${String(index)}`;
      const sandbox = `${from}-fork`;
      assert.equal((await server.now().run(language, code, { sandbox: from })).status, "ok");
      assert.equal((await server.now().call("fork_sandbox", { from, to: sandbox })).isError, false);
      await happen();
      for (const each of [from, sandbox]) {
        const { result, notes = [] } = await server.now().run(language, language === "python" ? "[await task, seen]" : "[await p, seen]", { sandbox: each });
        assert.deepEqual(result, ["kept", [1]], each);
        assert.equal(notes.some((note) => /^1 timer is still pending, the first due in \d+ ms/.test(note)), language === "javascript");
        await server.now().call("close_sandbox", { sandbox: each });
      }
    }
  }
});

test("a run that is stopped while it awaits does not take the tasks of earlier runs with it", async () => {
  await using server = await connect();
  const run = (code: string, args = {}) => server.run("python", code, { sandbox: "s", ...args });
  await run("import asyncio\ncleaned = []\nasync def work():\n    await asyncio.sleep(0.4)\n    return 'done'\ntask = asyncio.ensure_future(work())\nawait asyncio.sleep(0)");
  const code = "async def stuck():\n    try:\n        await asyncio.sleep(100)\n    finally:\n        cleaned.append(1)\nawait stuck()";
  const { status, error } = await run(code, { timeout_ms: 1_000 });
  assert.deepEqual([status, error?.line], ["timeout", 3]);
  assert.deepEqual((await run("[await task, cleaned]")).result, ["done", [1]]);
  assert.match((await run("await asyncio.get_event_loop().create_future()")).error?.message ?? "", /no longer happen/);
  assert.equal((await run("await asyncio.sleep(0, 'fine')")).result, "fine");
});

test("a fork draws other random numbers, unless it is asked to draw the same", async () => {
  await using server = await connect();
  const draws = [
    ["python", "import random, numpy as np\nrandom.random()", "[random.random(), float(np.random.rand())]"],
    ["javascript", "Math.random()", "[Math.random(), Math.random()]"],
  ] as const;
  for (const [language, first, next] of draws) {
    const draw = async (sandbox: string): Promise<unknown> => (await server.run(language, next, { sandbox })).result;
    const name = `r-${language}`;
    await server.run(language, first, { sandbox: name });
    for (const reseed of [true, false]) await server.call("fork_sandbox", { from: name, to: `${name}-${String(reseed)}`, reseed });
    const original = await draw(name);
    assert.deepEqual(await draw(`${name}-false`), original);
    assert.notDeepEqual(await draw(`${name}-true`), original);
  }
});

test("turns of two sandboxes that share one thread never see each other's state, however they come", async () => {
  await using server = await connect(["--workers=1"]);
  const names = ["a", "b", "c"];
  for (const sandbox of names) await server.run("javascript", `let own = "${sandbox}"`, { sandbox });
  const order = Array.from({ length: 60 }, (_, index) => names[(index * 7 + (index >> 2)) % names.length] ?? "a");
  const runs = order.map((sandbox) => server.run("javascript", `own += "${sandbox}"; own`, { sandbox }));
  const fresh = Array.from({ length: 10 }, () => server.run("javascript", "typeof own"));
  for (const { result } of await Promise.all(fresh)) assert.equal(result, "undefined");
  const seen: Record<string, number> = {};
  for (const [index, { result }] of (await Promise.all(runs)).entries()) {
    const name = order[index] ?? "";
    seen[name] = (seen[name] ?? 1) + 1;
    assert.equal(result, name.repeat(seen[name]));
  }
});

test("what was answered survives kill -9 that comes at once, and the running turn alone is lost", { skip: restarts }, async () => {
  await using server = await startStateful();
  for (let round = 1; round <= 3; round += 1) {
    const { result } = await server.now().run("javascript", "globalThis.n = (globalThis.n ?? 0) + 1", { sandbox: "s" });
    assert.equal(result, round);
    const running = server.now().run("javascript", "n = 99; for (;;);", { sandbox: "s" });
    running.catch(() => {});
    if (round > 1) await sleep(20);
    await server.crash();
  }
  assert.equal((await server.now().run("javascript", "n", { sandbox: "s" })).result, 3);
});

/** One byte of each page: all of them would take the guest seconds. */
const KINDS_OF_BYTES = "function kinds(big) { const seen = new Set([big.at(-1)]); for (let at = 0; at < big.length; at += 1021) seen.add(big[at]); return [...seen]; }";

test("kill -9 while a large sandbox is being written loses the running turn at most", { skip: restarts }, async () => {
  await using server = await startStateful();
  const folder = join(server.folder, "local");
  const beingWritten = (): boolean =>
    readdirSync(folder).some((file) => file.endsWith(".aside") && (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0) > 5_000_000);
  await server.now().run("javascript", "let turn = 0; const big = new Uint8Array(40_000_000).fill(7); 0", { sandbox: "s" });
  for (const round of [1, 2]) {
    const { result } = await server.now().run("javascript", `turn += 1; big.fill(${String(round)}); turn`, { sandbox: "s" });
    assert.equal(result, round);
    const running = server.now().run("javascript", "turn = 99; big.fill(99); 0", { sandbox: "s" });
    const answered = running.then(() => true, () => false);
    while (!beingWritten()) await sleep(2);
    await server.crash();
    assert.equal(await answered, false);
    const after = await server.now().run("javascript", `${KINDS_OF_BYTES}; [turn, kinds(big)]`, { sandbox: "s" });
    assert.deepEqual([after.result, after.notes], [[round, [round]], undefined]);
    assert.equal(readdirSync(folder).some((file) => file.endsWith(".aside")), false);
  }
});

test("while a large sandbox is stored and brought back, others are answered", { skip: restarts }, async () => {
  await using server = await startStateful(["--sandboxes=1"]);
  const { run } = server.now();
  await run("javascript", "let n = 1", { sandbox: "small" });
  let done = false;
  let answers = 0;
  const large = (async () => {
    await run("javascript", "const big = new Uint8Array(50_000_000).fill(7); 0", { sandbox: "large" });
    assert.equal((await run("javascript", "n", { sandbox: "small" })).result, 1);
    const { result } = await run("javascript", `${KINDS_OF_BYTES}; kinds(big)`, { sandbox: "large" });
    done = true;
    return result;
  })();
  for (; !done; answers += 1) assert.equal((await run("javascript", "1 + 1")).result, 2);
  assert.deepEqual(await large, [7]);
  assert.ok(answers > 10, String(answers));
});

test("kill -9 of the engine costs the running turn, and the stored sandboxes nothing", { skip: restarts }, async () => {
  await using server = await startStateful();
  await server.now().run("javascript", "let n = 5", { sandbox: "s" });
  const running = server.now().run("javascript", "n = 99; for (;;);", { sandbox: "s", timeout_ms: 20_000 });
  while (!/running/.test((await server.now().call("list_executions", {})).text)) await sleep(5);
  for (const pid of descendants(server.now().pid)) process.kill(pid, "SIGKILL");
  assert.equal((await running).status, "crashed");
  const { result, notes } = await server.now().run("javascript", "n", { sandbox: "s" });
  assert.deepEqual([result, notes], [5, undefined]);
});

test("a state file that is damaged is refused with its reason, and stays as it is", { skip: restarts }, async () => {
  await using server = await startStateful();
  for (const sandbox of ["whole", "damaged", "foreign"]) await server.now().run("javascript", "let n = 5", { sandbox });
  const folder = join(server.folder, "local");
  const [damaged = "", foreign = ""] = ["=damaged.belljar", "=foreign.belljar"].map((name) => join(folder, name));
  const bytes = readFileSync(damaged);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 0xff, bytes.length - 9);
  writeFileSync(damaged, bytes);
  writeFileSync(foreign, "nothing of the kind");
  await server.restart();
  for (const [sandbox, reason] of [["damaged", /checksum differs/], ["foreign", /not a state file/]] as const) {
    for (const [tool, args] of [["execute_javascript", { code: "n", sandbox }], ["close_sandbox", { sandbox }], ["fork_sandbox", { from: sandbox, to: "x" }]] as const) {
      const { isError, text } = await server.now().call(tool, args);
      assert.ok(isError);
      assert.match(text, reason);
    }
  }
  assert.deepEqual(readFileSync(damaged), bytes);
  assert.equal(readFileSync(foreign, "utf8"), "nothing of the kind");
  assert.equal((await server.now().run("javascript", "n", { sandbox: "whole" })).result, 5);
});

test("a second server on the same folder says why it can't, and the first goes on", { skip: noFolder }, async () => {
  await using server = await startStateful();
  await server.now().run("javascript", "let n = 5", { sandbox: "s" });
  await using second = await connect([`--state-dir=${server.folder}`]);
  const { isError, text } = await second.call("execute_javascript", { code: "1" });
  assert.ok(isError);
  assert.match(text, /in use by another Belljar \(process \d+\)/);
  const { code, stderr } = await runCommand(["run", `--state-dir=${server.folder}`, "-c", "1"]);
  assert.equal(code, 1);
  assert.match(stderr, /^belljar: The state folder .* is in use/);
  assert.equal((await server.now().run("javascript", "n", { sandbox: "s" })).result, 5);
});

test("the list of sandboxes tells language, runs, memory, disk, idle time, parent, children, and which are busy", { skip: noFolder }, async () => {
  await using server = await startStateful();
  const { run, call } = server.now();
  const list = async (): Promise<Record<string, Record<string, unknown>>> => {
    const { structured } = await call("list_sandboxes", {});
    return Object.fromEntries(Object(structured).sandboxes.map((one: { name: string }) => [one.name, one]));
  };
  await run("javascript", "let n = 1", { sandbox: "a" });
  await run("javascript", "n += 1", { sandbox: "a" });
  await call("fork_sandbox", { from: "a", to: "b" });
  await run("python", "n = 1", { sandbox: "p" });
  const going = run("python", "import time\ntime.sleep(20)", { sandbox: "p" });
  const [a, b, p] = await (async () => {
    for (;;) {
      const all = await list();
      if (all["p"]?.["busy"] === true) return [all["a"], all["b"], all["p"]];
      await sleep(5);
    }
  })();
  for (const { id } of Object((await call("list_executions", {})).structured).executions) await call("kill_execution", { execution_id: id });
  await going;
  const told = (info: Record<string, unknown> = {}): unknown => [info["language"], info["turns"], info["busy"], info["parent"], info["children"]];
  assert.deepEqual(told(a), ["javascript", 2, false, undefined, ["b"]]);
  assert.deepEqual(told(b), ["javascript", 2, false, "a", []]);
  assert.deepEqual(told(p), ["python", 1, true, undefined, []]);
  for (const info of [a, b, p]) {
    for (const field of ["memory_bytes", "stored_bytes", "disk_bytes"]) assert.ok(Number(info?.[field]) > 1_000, field);
    assert.ok(Number(info?.["idle_ms"]) >= 0);
  }
  const line = async (): Promise<string> => (await server.now().call("list_sandboxes", {})).text.split("\n")[0] ?? "";
  assert.match(await line(), /^a: JavaScript, 2 runs, idle for \d+ s, memory of [\d.]+ MiB of which 0\.\d MiB are its own, 0\.\d MiB on disk$/);
  await server.restart();
  assert.match(await line(), /^a: JavaScript, 2 runs, idle for \d+ s, memory of [\d.]+ MiB kept on disk alone as 0\.\d MiB$/);
});

test("without a state folder nothing is written, with one a closed sandbox leaves no file", { skip: noFolder }, async () => {
  await using server = await startStateful();
  await server.now().run("javascript", "let n = 5", { sandbox: "s" });
  const folder = join(server.folder, "local");
  assert.deepEqual(readdirSync(folder).sort(), ["=s.belljar", "lock"]);
  await server.now().call("close_sandbox", { sandbox: "s" });
  assert.deepEqual(readdirSync(folder), ["lock"]);
});

test("belljar run goes on in a stored sandbox", { skip: noFolder }, async () => {
  await using server = await startStateful();
  const args = ["run", `--state-dir=${server.folder}/own`, "--sandbox=k", "--lang=js", "-c", "globalThis.n = (globalThis.n ?? 0) + 1"];
  for (const expected of ["1\n", "2\n", "3\n"]) assert.equal((await runCommand(args)).stdout, expected);
});
