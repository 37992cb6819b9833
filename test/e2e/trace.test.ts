import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { realFolder } from "../host/mounts/mounted.ts";
import { COMMAND, ON_DENO } from "./driver.ts";

/** System calls by which a process reaches a file, another process or the network. */
const CALLS = "open,openat,openat2,creat,socket,connect,sendto,execve,execveat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat";
const REACHING = [
  ["python", "import os, socket\nfound = []\nfor act in (lambda: open('/etc/passwd'), lambda: os.listdir('/home'), lambda: open('/work/x', 'w'), lambda: os.symlink('/etc', '/tmp/e'), lambda: open('/tmp/e/passwd'), lambda: socket.getaddrinfo('localhost', 80), lambda: os.system('id')):\n    try: act(); found.append('done')\n    except Exception as error: found.append(type(error).__name__)\nlen(found)", 7],
  ["javascript", "const fs = require('fs'); const found = []; for (const act of [() => fs.readFileSync('/etc/passwd'), () => fs.writeFileSync('/work/x', ''), () => fs.readdirSync('/')]) { try { act(); } catch {} found.push(1); }\nfound.length", 3],
] as const;

const hasStrace = (): boolean => {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"]);
    return true;
  } catch {
    return false;
  }
};
const skip = (ON_DENO && "Deno's own files are opened as they are needed") || (!hasStrace() && "there is no strace, or it may not be used");

test("without a flag, a run opens no file and no socket", { skip }, async () => {
  using folder = realFolder();
  const trace = join(folder.path, "trace");
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(new StdioClientTransport({ command: "strace", args: ["-f", "-qq", "-e", `trace=${CALLS}`, "-o", trace, ...COMMAND], cwd: folder.path, stderr: "ignore" }));
  const run = async (language: string, code: string): Promise<unknown> => {
    const answer = await client.callTool({ name: `execute_${language}`, arguments: { code } }, undefined, { timeout: 120_000 });
    return Object(answer.structuredContent).result;
  };
  // What is loaded once is loaded now: both threads of each language, and what their first turns need.
  for (let round = 0; round < 4; round += 1) for (const [language, code] of REACHING) await run(language, code);
  const before = readFileSync(trace, "utf8");
  assert.match(before, /openat\(/, "the trace sees nothing");
  for (const [language, code, answer] of REACHING) assert.equal(await run(language, code), answer);
  const since = readFileSync(trace, "utf8").slice(before.length);
  await client.close();
  assert.deepEqual(since.split("\n").filter((line) => line.includes("(")), []);
});
