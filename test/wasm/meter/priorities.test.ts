import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compileAsset } from "../../../src/engine/module.ts";
import { JAVASCRIPT_MODULES, PYTHON_MODULE } from "../../../src/guests/modules.ts";
import { isBelljarError } from "../../../src/base/errors.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { prioritize } from "../../../wasm/meter/priorities.ts";
import { assemble, I32, type Parts } from "./assembler.ts";

const SECTION = "metadata.code.compilation_priority";
const PARTS: Parts = {
  types: [[[], [I32]]],
  functions: ["one", "two", "three"].map((name, at) => ({ type: 0, code: [OP.i32Const, at + 1], name })),
};

test("V8 compiles the functions that are named along with the module, and the others when they are called", () => {
  const folder = mkdtempSync(join(tmpdir(), "belljar-priorities-"));
  try {
    const file = join(folder, "module.wasm");
    writeFileSync(file, prioritize(assemble(PARTS), [2, 0]));
    const program = `const bytes = require("node:fs").readFileSync(${JSON.stringify(file)});
      const module = new WebAssembly.Module(bytes);
      console.log("made");
      const { one, two, three } = new WebAssembly.Instance(module).exports;
      console.log(one(), two(), three());`;
    const { stdout } = spawnSync(process.execPath, ["--experimental-wasm-compilation-hints", "--trace-wasm-compilation-times", "-e", program], { encoding: "utf8" });
    const order = [...stdout.matchAll(/#(\d+) using Liftoff|^(made|1 2 3)$/gm)].map(([, index, said]) => said ?? Number(index));
    const made = order.indexOf("made");
    assert.deepEqual(new Set(order.slice(0, made)), new Set([0, 2]));
    assert.deepEqual(order.slice(made), ["made", 1, "1 2 3"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a module that names functions does what it did", () => {
  const exports = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(prioritize(assemble(PARTS), [0, 1, 2])))).exports;
  assert.deepEqual(Object.values(exports).map((value) => (typeof value === "function" ? value() : undefined)), [1, 2, 3]);
});

test("what is no module is refused", () => {
  assert.throws(() => prioritize(Uint8Array.of(1, 2, 3), [0]), (error) => isBelljarError(error, "BAD_MODULE"));
});

test("the guests' modules name what their turns call, which is a part of what they have", async () => {
  for (const name of [PYTHON_MODULE, JAVASCRIPT_MODULES[0]]) {
    const [section] = WebAssembly.Module.customSections(await compileAsset(name), SECTION);
    assert.ok(section !== undefined && section.byteLength > 1_000 && section.byteLength < 60_000, `${name}: ${section?.byteLength}`);
  }
});
