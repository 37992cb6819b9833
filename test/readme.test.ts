import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { BINARY, ROOT } from "../build/paths.ts";
import { fillSections, readReadme } from "../build/readme.ts";
import { BuildError } from "../build/step.ts";
import { readSettings } from "../src/cli/flags.ts";
import { openAsset } from "../src/engine/assets.ts";
import { decodePack } from "../src/host/files/pack.ts";
import manifest from "../package.json" with { type: "json" };
import { connect } from "./e2e/driver.ts";

const { text, made } = readReadme();
const noShell = process.platform === "win32" ? "the README's commands are for a POSIX shell" : false;

const folder = mkdtempSync(join(tmpdir(), "belljar-readme-"));
symlinkSync(BINARY, join(folder, "belljar"));
after(() => rmSync(folder, { recursive: true }));

/** The fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block);
}

/** What a shell prints for a command in which `belljar` is the packed binary. */
async function shell(command: string): Promise<string> {
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command], { cwd: folder, env });
  return stdout + stderr;
}

test("the tables are what the sources say; node build.mjs readme makes them anew", () => {
  assert.equal(text, made);
});

test("a section that nothing is made for, or that has no place, is told", () => {
  assert.throws(() => fillSections("<!-- made: what -->\n<!-- end -->\n", {}), BuildError);
  assert.throws(() => fillSections("", { tools: "" }), BuildError);
  assert.equal(fillSections("<!-- made: a -->\nold\n<!-- end -->\n", { a: "new" }), "<!-- made: a -->\n\nnew\n\n<!-- end -->\n");
});

test("the transcripts, one after the other, are what the binary answers", async () => {
  const calls = [...text.matchAll(/^<!-- call: (?<tool>\w+) ?(?<args>\{.*\})? -->\n\n(?:```python\n(?<code>[^]*?)^```\n)?[^]*?^```text\n(?<answer>[^]*?)^```$/gm)];
  assert.equal(calls.length, 6);
  await using server = await connect();
  for (const { groups } of calls) {
    const { tool = "", args = "{}", code, answer = "" } = groups ?? {};
    const given = await server.call(tool, { ...JSON.parse(args), ...(code === undefined ? {} : { code }) });
    assert.equal(`${given.text}\n`, answer);
  }
});

const SESSION = blocks("console").join("").split(/^\$ /m).filter(Boolean);

test("there are sessions to try", () => assert.ok(SESSION.length >= 4));

for (const step of SESSION) {
  const [command = "", ...printed] = step.split("\n");
  test(`$ ${command}`, { skip: noShell }, async () => {
    assert.equal(await shell(command), printed.join("\n"));
  });
}

test("the two commands of a fresh clone use scripts that are there, and the first one's arguments work", { skip: noShell }, async () => {
  const [main = "", tests = ""] = blocks("sh");
  const [, args = ""] = /^npm ci && npm start -- (.*)\n$/.exec(main) ?? [];
  assert.equal(tests, "npm ci && npm test\n");
  assert.ok("start" in manifest.scripts && "test" in manifest.scripts);
  assert.equal(await shell(`belljar ${args}`), "3\n");
});

test("the command for Deno runs code with those rights alone", { skip: noShell }, async () => {
  const command = blocks("sh").find((block) => block.startsWith("deno run "))?.trim() ?? "";
  const [platform = ""] = readdirSync(join(ROOT, "node_modules", "@deno"));
  const deno = join(ROOT, "node_modules", "@deno", platform, "deno");
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace("deno", deno) + " run -c '6 * 7'"], { cwd: ROOT, env: {} });
  assert.equal(stdout, "42\n");
});

test("the client's JSON, with the path of the binary, makes a server that lists its tools", async () => {
  const [json = ""] = blocks("json");
  const { mcpServers } = z.object({ mcpServers: z.object({ belljar: z.object({ command: z.string() }) }) }).parse(JSON.parse(json));
  assert.equal(mcpServers.belljar.command, "/path/to/belljar");
  const client = new Client({ name: "readme", version: "1" });
  await client.connect(new StdioClientTransport({ command: BINARY, args: ["--timeout-ms=60000", "--python-memory-mb=1024"], env: {}, cwd: folder }));
  try {
    assert.ok((await client.listTools()).tools.length > 0);
  } finally {
    await client.close();
  }
});

test("the config file is one", () => {
  const [, json = ""] = blocks("json");
  const file = join(folder, "belljar.json");
  writeFileSync(file, json);
  const { grants, limits } = readSettings(new Map([["config", file]]), { LANG: "C" });
  assert.deepEqual(grants.folders.map(({ host, guest }) => [host, guest]), [[join(folder, "data"), "/mnt/data"], [join(folder, "reports"), "/mnt/archive"]]);
  assert.deepEqual([grants.env, limits.timeout], [{ LANG: "C" }, 60_000]);
});

test("belljar install makes settings that a client can start Belljar with", { skip: noShell }, async () => {
  await promisify(execFile)(BINARY, ["install", "cursor", "--timeout-ms=60000"], { env: { HOME: folder } });
  const text = readFileSync(join(folder, ".cursor", "mcp.json"), "utf8");
  const entry = z.object({ command: z.string(), args: z.array(z.string()) });
  const { mcpServers } = z.object({ mcpServers: z.object({ belljar: entry }) }).parse(JSON.parse(text));
  assert.deepEqual(mcpServers.belljar, { command: BINARY, args: ["--timeout-ms=60000"] });
  const client = new Client({ name: "readme", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.belljar, env: {}, cwd: folder }));
  assert.ok((await client.listTools()).tools.length > 0);
  await client.close();
});

test("a copy of the binary, alone in a folder and with an empty environment, answers in both languages", { skip: noShell }, async () => {
  const alone = mkdtempSync(join(tmpdir(), "belljar-alone-"));
  const copy = join(alone, "belljar");
  copyFileSync(BINARY, copy);
  try {
    for (const language of ["python", "javascript"]) {
      const { stdout } = await promisify(execFile)(copy, ["run", `--lang=${language}`, "-c", "6 * 7"], { cwd: alone, env: {} });
      assert.equal(stdout, "42\n", language);
    }
    assert.deepEqual(readdirSync(alone), ["belljar"], "nothing was written");
  } finally {
    rmSync(alone, { recursive: true });
  }
});

test("the binary has the size that is told, within a tenth", () => {
  const told = Number(/one executable file of some (\d+) MB/.exec(text)?.[1]);
  const size = statSync(BINARY).size / 1e6;
  assert.ok(Math.abs(size - told) < told / 10, `${size} MB, not ${told}`);
});

test("the licences of Belljar, Node, QuickJS, the Python guest and what is bundled are inside", () => {
  const paths = [...decodePack(openAsset("licences.pack")).keys()];
  for (const part of [/^belljar\/LICENSE$/, /^npm\/node-\w+-\w+-[\d.]+\/LICENSE$/, /^javascript\/quickjs/, /^python\/.*numpy/i, /^npm\/zod-/, /^npm\/acorn-/]) {
    assert.ok(paths.some((path) => part.test(path)), String(part));
  }
});
