import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "./driver.ts";

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
