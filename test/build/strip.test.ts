import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stripProgram } from "../../build/strip.ts";

test("Node without its symbols is smaller, and runs", { skip: process.platform !== "linux" }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), "belljar-strip-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const whole = readFileSync(process.execPath);
  const stripped = stripProgram(whole);
  assert.ok(stripped.length < whole.length, `${stripped.length} of ${whole.length} bytes`);
  const program = join(folder, "node");
  writeFileSync(program, stripped, { mode: 0o755 });
  assert.equal(execFileSync(program, ["-p", "6 * 7"], { encoding: "utf8" }), "42\n");
  assert.equal(stripProgram(stripped).length, stripped.length);
});

test("what is no ELF program stays as it is", () => {
  for (const bytes of [Buffer.from("MZ"), Buffer.from([0xcf, 0xfa, 0xed, 0xfe]), Buffer.alloc(0)]) assert.equal(stripProgram(bytes), bytes);
});
