import assert from "node:assert/strict";
import { test } from "node:test";
import { applyImage, captureImage } from "../../src/engine/image.ts";
import { resetToImage } from "../../src/engine/restore.ts";
import { decodeImage, encodeImage } from "../../src/engine/image-file.ts";

const PAGES = 3;

function makeMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: PAGES, maximum: PAGES + 1 });
}

function makeGlobals(): Map<string, WebAssembly.Global> {
  return new Map<string, WebAssembly.Global>([
    ["pointer", new WebAssembly.Global({ value: "i32", mutable: true }, 7)],
    ["count", new WebAssembly.Global({ value: "i64", mutable: true }, 9n)],
  ]);
}

function filled(): WebAssembly.Memory {
  const memory = makeMemory();
  const bytes = new Uint8Array(memory.buffer);
  bytes[0] = 1;
  bytes[4_096] = 2;
  bytes[100_000] = 3;
  bytes[bytes.length - 1] = 4;
  return memory;
}

test("an image holds only the pages that are not zero", () => {
  const image = captureImage(filled(), makeGlobals(), {});
  assert.equal(image.pages, PAGES);
  assert.deepEqual(image.runs.map((run) => [run.offset, run.bytes.length]), [[0, 8_192], [98_304, 4_096], [192_512, 4_096]]);
});

test("an image applied to a new memory gives the same bytes and globals, also through its file", () => {
  const source = filled();
  const image = decodeImage(encodeImage(captureImage(source, makeGlobals(), { turn: 12 })));
  const memory = makeMemory();
  const globals = makeGlobals();
  for (const global of globals.values()) global.value = typeof global.value === "bigint" ? 0n : 0;
  applyImage(image, memory, globals);
  assert.deepEqual(Buffer.from(memory.buffer), Buffer.from(source.buffer));
  assert.deepEqual([...globals.values()].map((global) => global.value), [7, 9n]);
  assert.deepEqual(image.addresses, { turn: 12 });
});

test("a used memory is equal to the image again after a reset, in zero pages and others", () => {
  const source = filled();
  const image = captureImage(source, makeGlobals(), {});
  const memory = makeMemory();
  const globals = makeGlobals();
  new Uint8Array(memory.buffer).fill(0xaa);
  const count = globals.get("count");
  if (count !== undefined) count.value = 1n;
  assert.equal(resetToImage(image, memory, globals), true);
  assert.deepEqual(Buffer.from(memory.buffer), Buffer.from(source.buffer));
  assert.equal(count?.value, 9n);
});

test("a memory that has grown is not reset", () => {
  const memory = filled();
  const image = captureImage(memory, makeGlobals(), {});
  memory.grow(1);
  assert.equal(resetToImage(image, memory, makeGlobals()), false);
});

test("a file that is no image, cut off, or points outside is refused", () => {
  const file = encodeImage(captureImage(filled(), makeGlobals(), {}));
  assert.throws(() => decodeImage(new Uint8Array(4)), { code: "BAD_IMAGE" });
  assert.throws(() => decodeImage(file.subarray(0, file.length - 1)), { code: "BAD_IMAGE" });
  const tampered = Uint8Array.from(file);
  const jsonEnd = 16 + Buffer.from(file).readUInt32LE(4);
  new DataView(tampered.buffer).setUint32(jsonEnd, 0xfffff000, true);
  assert.throws(() => decodeImage(tampered), { code: "BAD_IMAGE" });
});

test("an image on a base copies and stores only what differs, also a page that became zero", () => {
  const memory = filled();
  const base = captureImage(memory, makeGlobals(), {});
  const bytes = new Uint8Array(memory.buffer);
  bytes[4_097] = 9;
  bytes[100_000] = 0;
  bytes[150_000] = 5;
  const image = captureImage(memory, makeGlobals(), {}, base);
  const file = encodeImage(image, { base });
  assert.ok(file.length < 2 * 4_096 + 1_000, `${file.length} bytes`);
  const copy = makeMemory();
  applyImage(decodeImage(file, base), copy, makeGlobals());
  assert.deepEqual(Buffer.from(copy.buffer), Buffer.from(memory.buffer));
  assert.throws(() => decodeImage(file), { code: "BAD_IMAGE" });
});

test("a memory smaller than the image is grown when it is reset to it", () => {
  const memory = filled();
  memory.grow(1);
  const image = captureImage(memory, makeGlobals(), {});
  const small = makeMemory();
  assert.equal(resetToImage(image, small, makeGlobals()), true);
  assert.deepEqual(Buffer.from(small.buffer), Buffer.from(memory.buffer));
});

test("an image on a base of many stretches comes back from its file, and from no other base", () => {
  const memory = makeMemory();
  const bytes = new Uint8Array(memory.buffer);
  for (let page = 0; page < bytes.length; page += 2 * 4_096) bytes[page] = 1;
  const base = captureImage(memory, makeGlobals(), {});
  bytes[4 * 4_096] = 2;
  bytes[9 * 4_096] = 2;
  const file = encodeImage(captureImage(memory, makeGlobals(), {}, base), { base });
  const copy = makeMemory();
  applyImage(decodeImage(file, base), copy, makeGlobals());
  assert.deepEqual(Buffer.from(copy.buffer), Buffer.from(memory.buffer));
  const other = { ...base, runs: base.runs.slice(3) };
  assert.throws(() => decodeImage(file, other), { code: "BAD_IMAGE" });
});
