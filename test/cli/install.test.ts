import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { addServer } from "../../src/cli/client-file.ts";
import { MCP_CLIENTS } from "../../src/cli/clients.ts";
import { runCommand } from "../../src/cli/commands.ts";

const ENTRY = { command: "/opt/belljar", args: ["--timeout-ms=5"] };
const PLACE = { home: "/home/ada", platform: "linux", env: {} } as const;

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "belljar-install-"));
  file = join(folder, "deep", "mcp.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; stdout: string; stderr: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const sink = (to: string[]) => ({ write: (text: unknown) => to.push(String(text)) > 0 });
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const code = await runCommand({ args: ["install", ...args], env, stdin: nothing(), stdout: sink(out), stderr: sink(err) });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

test("a client without a file gets one", async () => {
  await addServer(file, ENTRY);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { mcpServers: { belljar: ENTRY } });
});

test("whatever else a file holds is kept, with its indentation and mode, and only an older Belljar is replaced", async () => {
  mkdirSync(join(folder, "deep"));
  writeFileSync(file, '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": { "url": "x" },\n        "belljar": { "command": "old" }\n    }\n}\n', { mode: 0o640 });
  await addServer(file, ENTRY);
  const text = readFileSync(file, "utf8");
  assert.deepEqual(JSON.parse(text), { theme: "dark", mcpServers: { other: { url: "x" }, belljar: ENTRY } });
  assert.match(text, /^ {4}"theme"/m);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(join(folder, "deep")), ["mcp.json"]);
});

test("a link to a file stays one", { skip: process.platform === "win32" }, async () => {
  writeFileSync(join(folder, "real.json"), "{}");
  symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
  await addServer(join(folder, "link.json"), ENTRY);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, "real.json"), "utf8")), { mcpServers: { belljar: ENTRY } });
});

test("a file that is no plain JSON object is left as it is", async () => {
  mkdirSync(join(folder, "deep"));
  for (const text of ['{ // mine\n "mcpServers": {} }', "[]", '{"mcpServers": []}', "{", '"x"']) {
    writeFileSync(file, text);
    await assert.rejects(addServer(file, ENTRY), /is left as it is\. belljar install CLIENT --print/);
    assert.equal(readFileSync(file, "utf8"), text);
  }
});

test("each client's settings are where its papers say", () => {
  const file = (name: string, place: { home: string; platform: NodeJS.Platform; env: NodeJS.ProcessEnv }): string => {
    const client = MCP_CLIENTS[name];
    return client !== undefined && "file" in client ? client.file(place) : "";
  };
  assert.equal(file("cursor", PLACE), join("/home/ada", ".cursor", "mcp.json"));
  assert.equal(file("windsurf", PLACE), join("/home/ada", ".codeium", "windsurf", "mcp_config.json"));
  assert.equal(file("claude-desktop", PLACE), join("/home/ada", ".config", "Claude", "claude_desktop_config.json"));
  assert.equal(file("claude-desktop", { ...PLACE, platform: "darwin" }), join("/home/ada", "Library", "Application Support", "Claude", "claude_desktop_config.json"));
  assert.equal(file("claude-desktop", { ...PLACE, platform: "win32", env: { APPDATA: "/data" } }), join("/data", "Claude", "claude_desktop_config.json"));
});

test("a client with a command of its own is told by it", { skip: process.platform === "win32" }, async () => {
  const told = join(folder, "told");
  for (const program of ["claude", "codex", "code"]) {
    writeFileSync(join(folder, program), `#!/bin/sh\nprintf '%s\\n' "$@" > ${told}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  const env = { PATH: `${folder}:/bin:/usr/bin` };
  assert.equal((await command(["claude-code", "--timeout-ms=5000"], env)).code, 0);
  const words = readFileSync(told, "utf8").trim().split("\n");
  assert.deepEqual(words.slice(0, 6), ["mcp", "add", "--scope", "user", "belljar", "--"]);
  assert.deepEqual([words[6], words.at(-1)], [process.execPath, "--timeout-ms=5000"]);
  await command(["vscode"], env);
  const [flag, json = ""] = readFileSync(told, "utf8").trim().split("\n");
  assert.deepEqual([flag, Object(JSON.parse(json)).name], ["--add-mcp", "belljar"]);
});

test("a client whose command is not there is answered with the command to run", async () => {
  const { code, stdout, stderr } = await command(["codex"], { PATH: folder });
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /Codex could not be told: .*ENOENT.*The command is: codex mcp add belljar -- /);
});

test("--print writes nothing but to standard output", async () => {
  const { code, stdout } = await command(["cursor", "--print", "--fuel=2000000"], { HOME: folder });
  assert.equal(code, 0);
  assert.deepEqual(Object(JSON.parse(stdout)).mcpServers.belljar.args.at(-1), "--fuel=2000000");
  assert.equal(existsSync(join(folder, ".cursor")), false);
});

test("wrong flags, relative paths and unknown clients are refused before anything is written", async () => {
  const refusals = [
    [[], /Name the client: claude-code, /],
    [["emacs"], /The client must be one of .*, and was "emacs"/],
    [["cursor", "vscode"], /Unexpected "vscode"/],
    [["cursor", "--timeout-ms=0"], /--timeout-ms must be between/],
    [["cursor", "--state-dir=here"], /--state-dir needs a whole path here, .* and was "here"/],
  ] as const;
  for (const [args, message] of refusals) {
    const { code, stderr } = await command(args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, message);
  }
});
