import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Connection } from "./driver.ts";

const SOFT = { python: "kept = 2\nwhile True: pass", javascript: "kept = 2; for (;;);" } as const;
const HARD = {
  python: "while True:\n    try:\n        kept = 2\n        while True: pass\n    except BaseException: pass",
  javascript: "for (;;) { try { kept = 2; for (;;); } catch {} }",
} as const;

test("a timeout in a named sandbox says what became of it", async () => {
  await using server = await connect();
  for (const language of ["python", "javascript"] as const) {
    const run = (code: string) => server.run(language, code, { sandbox: language, timeout_ms: 2_000 });
    await server.run(language, language === "python" ? "kept = 1" : "let kept = 1", { sandbox: language });

    const hard = await run(HARD[language]);
    assert.equal(hard.status, "timeout");
    assert.equal(hard.notes?.[0], `The sandbox "${language}" is exactly as it was before this run, files too.`);
    assert.equal((await run("kept")).result, 1);

    const soft = await run(SOFT[language]);
    assert.equal(soft.status, "timeout");
    assert.equal(soft.notes?.[0], `What ran before the stop is kept in the sandbox "${language}": variables, imports and files.`);
    assert.equal((await run("kept")).result, 2);
  }
  assert.equal((await server.run("javascript", "for (;;);", { timeout_ms: 50 })).notes?.some((note) => note.includes("kept")), false);
});

/** The id of the execution in a sandbox, once it runs. */
async function runningIn(server: Connection, sandbox: string): Promise<string> {
  for (;;) {
    const { structured } = await server.call("list_executions", {});
    const found = Object(structured).executions.find((one: { sandbox?: string; state: string }) => one.sandbox === sandbox && one.state === "running");
    if (found !== undefined) return found.id;
    await sleep(5);
  }
}

test("a run that is killed says where it was", async () => {
  await using server = await connect();
  const codes = {
    python: ["x = 1\nwhile True: pass", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')", "import time\ntime.sleep(60)"],
    javascript: ["let x = 1;\nfor (;;);", "const s = 'a'.repeat(40) + 'b';\n/^(a+)+$/.test(s)", "let n = 0;\nfor (;;) try { for (;;) n += 1 } catch {}"],
  } as const;
  for (const language of ["python", "javascript"] as const) {
    await server.run(language, "1", { sandbox: language });
    for (const code of codes[language]) {
      const run = server.run(language, code, { sandbox: language, timeout_ms: 20_000 });
      const execution_id = await runningIn(server, language);
      await sleep(1_000);
      await server.call("kill_execution", { execution_id });
      const { status, error } = await run;
      assert.deepEqual([status, error?.line], ["killed", 2], `${code}: ${error?.traceback}`);
    }
  }
});

test("a run that is stopped by another call says by which, and what became of its sandbox", async () => {
  await using server = await connect();
  await server.run("javascript", "let kept = 1", { sandbox: "s" });
  const loop = () => server.run("javascript", "kept = 2; for (;;);", { sandbox: "s", timeout_ms: 20_000 });

  const first = loop();
  await server.call("kill_execution", { execution_id: await runningIn(server, "s") });
  const killed = await first;
  assert.deepEqual([killed.status, killed.error?.message], ["killed", "Stopped by a call of kill_execution."]);
  assert.deepEqual(killed.notes, ['The sandbox "s" is exactly as it was before this run, files too.']);
  assert.equal((await server.run("javascript", "kept", { sandbox: "s" })).result, 1);

  const second = loop();
  await runningIn(server, "s");
  assert.equal((await server.call("close_sandbox", { sandbox: "s" })).isError, false);
  const closed = await second;
  assert.deepEqual([closed.status, closed.error?.message], ["killed", "Stopped by close_sandbox, which ended the sandbox it ran in."]);
  assert.equal(closed.notes, undefined);
  assert.equal((await server.run("javascript", "typeof kept", { sandbox: "s" })).result, "undefined");
});
