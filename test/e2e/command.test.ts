import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ON_DENO, runCommand } from "./driver.ts";

const RUNS = [
  [["-c", "print('hi')\n6 * 7"], 0, "hi\n42\n"],
  [["--lang=js", "-c", "console.log('hi'); 6 * 7"], 0, "hi\n42\n"],
  [["--lang=ts", "-c", "const n: number = 6;\nn * 7"], 0, "42\n"],
  [["-c", "print('kept')\n1/0"], 1, "kept\n"],
  [["--timeout-ms=500", "-c", "print('kept')\nwhile True: pass"], 124, "kept\n"],
  [["--fuel=20000000", "-c", "while True: pass"], 137, ""],
  [["-c", "[0] * 10**9"], 137, ""],
] as const;

for (const [args, code, stdout] of RUNS) {
  test(`run ${args.join(" ").replaceAll("\n", "; ")} exits with ${String(code)}`, async () => {
    const ran = await runCommand(["run", ...args]);
    assert.deepEqual([ran.code, ran.stdout], [code, stdout], ran.stderr);
  });
}

test("run reads standard input", async () => {
  const ran = await runCommand(["run", "-"], "sum(range(11))");
  assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, "55\n", ""]);
});

test("run --json prints the outcome", async () => {
  const { stdout } = await runCommand(["run", "--json", "-c", "{'a': [1, 2]}"]);
  const outcome = Object(JSON.parse(stdout));
  assert.deepEqual([outcome.status, outcome.result], ["ok", { a: [1, 2] }]);
});

test("run --out writes the files and pictures that a run left, and without it says that they are there", { skip: ON_DENO && "it may write nothing there" }, async () => {
  const out = mkdtempSync(join(tmpdir(), "belljar-out-"));
  const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nopen('/work/a.txt', 'w').write('hi')\nNone";
  try {
    const ran = await runCommand(["run", `--out=${out}`, "-c", code]);
    assert.deepEqual([ran.code, ran.stdout], [0, ""]);
    assert.deepEqual(readdirSync(out).toSorted(), ["a.txt", "picture-1.png"]);
    assert.equal(readFileSync(join(out, "a.txt"), "utf8"), "hi");
    assert.equal(readFileSync(join(out, "picture-1.png")).readUInt32BE(0), 0x89504e47);
    assert.match(ran.stderr, /a\.txt: 2 bytes\n.*picture-1\.png: [\d,]+ bytes\n$/);
    assert.equal((await runCommand(["run", "-c", code])).stderr, "1 file and 1 picture left: --out=DIR writes them to a folder.\n");
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("licences prints the terms of what is inside", async () => {
  const { code, stdout } = await runCommand(["licences"]);
  assert.equal(code, 0);
  for (const name of [/^== belljar\/LICENSE$/m, /^== javascript\/quickjs/m, /^== python\/.*numpy/im]) assert.match(stdout, name);
});

test("wrong use exits with 2 and prints nothing to standard output", async () => {
  for (const args of [["frobnicate"], ["run"], ["--timeout-ms=never"]]) {
    const ran = await runCommand(args);
    assert.deepEqual([ran.code, ran.stdout], [2, ""], args.join(" "));
  }
});

test("doctor finds all well and lists what is inside", async () => {
  const { code, stdout } = await runCommand(["doctor"]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /All is well\.\n$/);
  for (const name of ["python", "numpy", "pandas"]) assert.match(stdout, new RegExp(`^  ${name} +\\d`, "m"));
});

test("--version prints the version alone", async () => {
  const { code, stdout } = await runCommand(["--version"]);
  assert.equal(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});
