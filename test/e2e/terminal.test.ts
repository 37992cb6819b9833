import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { COMMAND, ON_DENO } from "./driver.ts";

const skip = process.platform === "win32" ? "there is no pseudo-terminal" : ON_DENO ? "asks for the right to handle signals" : false;
const root = mkdtempSync(join(tmpdir(), "belljar-terminal-"));
after(() => rmSync(root, { recursive: true }));

const UP = "\u001b[A";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
/** Gives a program a terminal, and hands on what is typed and shown. */
const TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/** A session at a terminal: `type` sends keys, and waits until a text is shown that was not before. */
async function atTerminal(args: readonly string[], play: (type: (keys: string, shows: string) => Promise<string>) => Promise<void>): Promise<void> {
  const child = spawn("python3", ["-c", TERMINAL, "env", "-i", "TERM=xterm", ...COMMAND, "repl", ...args], { stdio: "pipe", cwd: root });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  try {
    await play(async (keys, text) => {
      const from = shown.length;
      child.stdin.write(keys);
      while (!shown.slice(from).includes(text)) {
        if (child.exitCode !== null) throw new Error(`ended after ${JSON.stringify(shown)}, without ${text}`);
        await sleep(10);
      }
      return shown.slice(from);
    });
    child.stdin.write(CTRL_D);
    const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
    assert.equal(code, 0, shown);
  } finally {
    child.kill("SIGKILL");
  }
}

test("at a terminal: blocks over lines, Ctrl-C in a run and in a line, commands, and the lines before by the arrow key", { skip, timeout: 120_000 }, () =>
  atTerminal(["python"], async (type) => {
    await type("", "> ");
    await type("def twice(n):\r", "… ");
    await type("    return n * 2\r", "… ");
    await type("\r", "> ");
    await type("twice(21)\r", "\n42\r");
    await type("n = 7\r", "> ");
    await type("while True: n = 0\r", "… ");
    await type("\r", "\n");
    await sleep(300);
    await type(CTRL_C, "Stopped by Ctrl-C");
    await type("f'n is {n}'\r", "n is 7");
    await type(`not to run${CTRL_C}`, "> ");
    await type("'only ' + 'this'\r", "\n'only this'\r");
    await type("open('/work/note.txt', 'w').write('x')\r", "\n1\r");
    await type(":files\r", "\n/work/note.txt\r");
    await type(":fork branch\r", "branch is a copy of repl-python");
    await type(":use branch\r", "The sandbox is now branch.");
    await type("n = 8; n\r", "\n8\r");
    await type(":use repl-python\r", "> ");
    await type("n\r", "\n7\r");
    assert.doesNotMatch(await type(":limits\r", "--queue="), /in (ms|bytes|MiB|calls|sandboxes)\r/);
    await type(`${UP}${UP}`, "> n");
    await type("\r", "\n7\r");
  }),
);

test("lines are kept for the next session where there is a state folder, and nothing is written where there is none", { skip, timeout: 120_000 }, async () => {
  await atTerminal(["javascript"], async (type) => {
    await type("", "> ");
    await type("6 * 7\r", "\n42\r");
  });
  assert.deepEqual(readdirSync(root), []);

  const args = ["javascript", "--state-dir=kept"];
  await atTerminal(args, async (type) => {
    await type("", "> ");
    await type("let n = 40\r", "> ");
    await type("n + 2\r", "\n42\r");
  });
  const file = join(root, "kept", "javascript.history");
  assert.equal(readFileSync(file, "utf8"), "let n = 40\nn + 2\n");
  assert.equal(statSync(file).mode & 0o077, 0);
  await atTerminal(args, async (type) => {
    await type("", "> ");
    await type(UP, "n + 2");
    await type("\r", "\n42\r");
  });
  assert.equal(existsSync(join(root, "kept", "local", "=repl-javascript.belljar")), true);
});
