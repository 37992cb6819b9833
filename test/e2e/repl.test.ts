import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { COMMAND, ON_DENO } from "./driver.ts";

/** A session whose lines the test types; `said` resolves once the output so far holds a text. */
function startRepl(language: string) {
  const [command = "", ...args] = COMMAND;
  const child = spawn("env", ["-i", command, ...args, "repl", language], { stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return {
    child,
    type: (line: string): void => void child.stdin.write(`${line}\n`),
    async said(text: string): Promise<void> {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`ended after ${output}`);
        await sleep(10);
      }
    },
  };
}

const skip = process.platform === "win32" ? "there is no SIGINT to send" : ON_DENO ? "asks for the right to handle signals" : false;

for (const [language, set, loop, get] of [
  ["python", "n = 41", "while True: n = 0\n", "n + 1"],
  ["javascript", "let n = 41", "for (;;) n = 0;", "n + 1"],
] as const) {
  test(`Ctrl-C stops a run of ${language}, and the session goes on as it was before it`, { skip, timeout: 120_000 }, async () => {
    const { child, type, said } = startRepl(language);
    try {
      type(set);
      type("'re' + 'ady'");
      await said("ready");
      type(loop);
      await sleep(500);
      child.kill("SIGINT");
      await said("Stopped by Ctrl-C");
      type(get);
      await said("42");
      child.stdin.end();
      const [code] = await once(child, "exit");
      assert.equal(code, 0);
    } finally {
      child.kill("SIGKILL");
    }
  });
}
