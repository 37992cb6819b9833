import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../src/base/errors.ts";
import { compileAsset } from "../../src/engine/module.ts";
import { preview2Imports } from "../../src/host/preview2.ts";

function open(): { readonly imports: ReturnType<typeof preview2Imports>; readonly memory: WebAssembly.Memory; readonly words: string[] } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const words: string[] = [];
  const imports = preview2Imports(
    { memory, realloc: () => 4_096, touched: () => {} },
    { wallClockNs: () => 1_500_000_000_123_456_789n, monotonicNs: () => 42n, lastWords: (text) => void words.push(text) },
  );
  return { imports, memory, words };
}

test("holds every function that the runtime links, and none that it does not", async () => {
  const { imports } = open();
  const listed = Object.entries(imports).flatMap(([module, functions]) => Object.keys(functions).map((name) => `${module} ${name}`));
  const runtime = await compileAsset("javascript/runtime.wasm");
  const linked = WebAssembly.Module.imports(runtime)
    .filter(({ kind }) => kind === "function")
    .map(({ module, name }) => `${module} ${name}`);
  assert.deepEqual(listed.toSorted(), linked.toSorted());
});

test("the host's environment, folders and terminals are not there", () => {
  const { imports, memory } = open();
  const bytes = new Uint8Array(memory.buffer).fill(0xff);
  imports["wasi:cli/environment@0.2.0"]?.["get-environment"]?.(0);
  imports["wasi:filesystem/preopens@0.2.0"]?.["get-directories"]?.(16);
  imports["wasi:cli/terminal-stdout@0.2.0"]?.["get-terminal-stdout"]?.(32);
  const view = new DataView(memory.buffer);
  assert.deepEqual([view.getUint32(4, true), view.getUint32(20, true), bytes[32]], [0, 0, 0]);
});

test("what is linked but not served ends the turn", () => {
  const { imports } = open();
  for (const [module, name] of [
    ["wasi:filesystem/types@0.2.0", "[method]descriptor.read-via-stream"],
    ["wasi:io/poll@0.2.0", "poll"],
    ["wasi:cli/exit@0.2.0", "exit"],
    ["$root", "[waitable-set-new]"],
  ] as const) {
    assert.throws(() => imports[module]?.[name]?.(0, 0, 0), (error) => isBelljarError(error, "GUEST_FAULT"), name);
  }
});

test("tells the wall clock in seconds and nanoseconds", () => {
  const { imports, memory } = open();
  imports["wasi:clocks/wall-clock@0.2.0"]?.["now"]?.(8);
  const view = new DataView(memory.buffer);
  assert.equal(view.getBigUint64(8, true), 1_500_000_000n);
  assert.equal(view.getUint32(16, true), 123_456_789);
});

test("a result area outside the memory is a fault", () => {
  const { imports } = open();
  for (const pointer of [65_536 - 8, -8, 2 ** 32 - 1]) {
    assert.throws(() => imports["wasi:clocks/wall-clock@0.2.0"]?.["now"]?.(pointer), (error) => isBelljarError(error, "GUEST_FAULT"));
  }
});

test("takes the last words of a guest, a few at a time", () => {
  const { imports, memory, words } = open();
  new TextEncoder().encodeInto("panicked", new Uint8Array(memory.buffer, 100));
  imports["wasi:io/streams@0.2.0"]?.["[method]output-stream.write"]?.(2, 100, 8, 0);
  assert.deepEqual(words, ["panicked"]);
  assert.throws(() => imports["wasi:io/streams@0.2.0"]?.["[method]output-stream.write"]?.(2, 100, 5_000, 0));
});

test("a module asked for at run time is refused in words", () => {
  const { imports, memory } = open();
  imports["local:init/module-loader"]?.["resolve"]?.(0, 0, 0, 0, 64);
  const view = new DataView(memory.buffer);
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, view.getUint32(68, true), view.getUint32(72, true)));
  assert.equal(view.getUint8(64), 1);
  assert.match(text, /cannot be loaded here/);
});
