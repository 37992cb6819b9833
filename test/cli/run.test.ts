import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Invocation } from "../../src/cli/command.ts";
import { runCommand } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";
import { fakeSandboxes, type Script } from "../mcp/fake-sandboxes.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly { readonly language: string; readonly code: string }[];
}

function invocation(args: readonly string[], stdin = ""): { invocation: Invocation; out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  async function* read(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(stdin);
  }
  const sink = (to: string[]): Invocation["stdout"] => ({ write: (text: unknown) => to.push(String(text)) > 0 });
  return { invocation: { args, env: {}, stdin: read(), stdout: sink(out), stderr: sink(err) }, out, err };
}

async function runs(args: readonly string[], script: Script = {}, stdin = ""): Promise<Ran> {
  const { invocation: given, out, err } = invocation(args, stdin);
  const sandboxes = fakeSandboxes(script);
  const code = await run(given, () => Promise.resolve(sandboxes));
  assert.ok(sandboxes.disposed());
  return { code, stdout: out.join(""), stderr: err.join(""), requests: sandboxes.requests };
}

test("output goes where output goes, and the result's repr is its last line", async () => {
  const ran = await runs(["-c", "x"], { outcome: { stdout: "a", stderr: "careful\n", result: 1, repr: "1" } });
  assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, "a\n1\n", "careful\n"]);
});

test("nothing is added to the output of code without a result", async () => {
  const ran = await runs(["-c", "x"], { outcome: { stdout: "a" } });
  assert.deepEqual([ran.stdout, ran.stderr], ["a", ""]);
});

test("the exit code says how the run ended", async () => {
  const codes = { ok: 0, error: 1, timeout: 124, out_of_fuel: 137, out_of_memory: 137, killed: 130, crashed: 1 } as const;
  for (const [status, code] of Object.entries(codes)) {
    const outcome = { status: status, error: { type: "E", message: "m" } };
    const parsed = await runs(["-c", "x"], { outcome: { ...outcome, status: statusOf(status) } });
    assert.equal(parsed.code, code, status);
  }
});

function statusOf(name: string) {
  const all = ["ok", "error", "timeout", "out_of_fuel", "out_of_memory", "killed", "crashed"] as const;
  return all.find((status) => status === name) ?? "ok";
}

test("an error shows its traceback on stderr, once", async () => {
  const error = { type: "ValueError", message: "no", traceback: "Traceback\nValueError: no\n" };
  const ran = await runs(["-c", "x"], { outcome: { status: "error", error, stderr: "log" } });
  assert.equal(ran.stderr, "log\nTraceback\nValueError: no\n");
  const short = await runs(["-c", "x"], { outcome: { status: "error", error: { type: "E", message: "m" } } });
  assert.equal(short.stderr, "E: m\n");
});

test("--json prints the whole outcome", async () => {
  const ran = await runs(["--json", "-c", "x"], { outcome: { result: [1], repr: "[1]" } });
  assert.deepEqual(JSON.parse(ran.stdout).result, [1]);
});

test("a file's ending tells its language, standard input is Python unless --lang says otherwise", async () => {
  const folder = await mkdtemp(join(tmpdir(), "belljar-"));
  try {
    for (const [name, language] of [["a.py", "python"], ["a.js", "javascript"], ["a.ts", "javascript"], ["a.MJS", "javascript"]] as const) {
      await writeFile(join(folder, name), "é");
      assert.deepEqual((await runs([join(folder, name)])).requests.map((request) => [request.language, request.code]), [[language, "é"]]);
    }
    await writeFile(join(folder, "a.txt"), "x");
    await assert.rejects(runs([join(folder, "a.txt")]), { message: /is not known by its ending\. Add --lang=/ });
    await writeFile(join(folder, "b.py"), Uint8Array.of(0xff));
    await assert.rejects(runs([join(folder, "b.py")]), { message: /b\.py is not UTF-8 text\.$/ });
    await assert.rejects(runs([join(folder, "none.py")]), { message: /none\.py could not be read: ENOENT/ });
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal((await runs(["-"], {}, "1")).requests[0]?.language, "python");
  assert.equal((await runs(["--lang=ts", "-"], {}, "1")).requests[0]?.language, "javascript");
});

test("the wrong number of things to run is refused", async () => {
  await assert.rejects(runs([]), { code: "BAD_ARGUMENT", message: /^Nothing to run/ });
  await assert.rejects(runs(["-c", "x", "a.py"]), { message: /^Give one thing to run/ });
  await assert.rejects(runs(["--lang=ruby", "-c", "x"]), { message: '--lang must be one of python, javascript, and was "ruby".' });
  await assert.rejects(runs(["-c", ""]), { message: "code is empty. Pass the Python to run." });
});

test("wrong use exits with 2 and says where help is", async () => {
  for (const args of [["frobnicate"], ["run"], ["--timeout-ms=0"], ["serve", "x"], ["run", "-c"], ["constructor"]]) {
    const { invocation: given, out, err } = invocation(args);
    assert.equal(await runCommand(given), 2, args.join(" "));
    assert.equal(out.join(""), "");
    assert.match(err.join(""), /^belljar: .+\nbelljar --help shows all commands and flags\.\n$/);
  }
});

test("--version prints the version of the package", async () => {
  const { invocation: given, out } = invocation(["--version"]);
  assert.equal(await runCommand(given), 0);
  assert.match(out.join(""), /^\d+\.\d+\.\d+\n$/);
});

test("--help names every limit with its range and default", async (t) => {
  const { invocation: given, out } = invocation(["--help"]);
  assert.equal(await runCommand(given), 0);
  t.assert.snapshot(out.join(""), { serializers: [String] });
});
