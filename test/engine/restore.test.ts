import assert from "node:assert/strict";
import { test } from "node:test";
import { captureImage, type Image, PAGE, WASM_PAGE } from "../../src/engine/image.ts";
import { decodeImage, encodeImage } from "../../src/engine/image-file.ts";
import type { PageRecord } from "../../src/engine/page-record.ts";
import { differences, resetToImage } from "../../src/engine/restore.ts";

const NO_GLOBALS = new Map<string, WebAssembly.Global>();

function memoryOf(pages: number, writes: Readonly<Record<number, number>>): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 8 });
  const bytes = new Uint8Array(memory.buffer);
  for (const [page, value] of Object.entries(writes)) bytes.fill(value, Number(page) * PAGE, (Number(page) + 1) * PAGE);
  return memory;
}

/** A record of these pages alone. */
function recordOf(...pages: number[]): PageRecord {
  let counted = new Set(pages);
  return {
    mark: (pointer) => void counted.add(Math.floor(pointer / PAGE)),
    lose: () => {},
    clear: () => void (counted = new Set()),
    has: (offset) => counted.has(offset / PAGE),
    *stretches() {
      for (const page of counted) yield [page * PAGE, (page + 1) * PAGE];
    },
  };
}

function imageOf(memory: WebAssembly.Memory, base?: Image): Image {
  return captureImage(memory, NO_GLOBALS, {}, base);
}

test("pages that the record counts are made the image's again, the others not looked at, and the record begins anew", () => {
  const memory = memoryOf(1, { 1: 1, 3: 3 });
  const image = imageOf(memory);
  const bytes = new Uint8Array(memory.buffer);
  for (const page of [0, 1, 3, 5]) bytes[page * PAGE] = 9;
  const record = recordOf(0, 1, 5);
  assert.equal(resetToImage(image, memory, NO_GLOBALS, { image, record }), true);
  assert.deepEqual([0, 1, 3, 5].map((page) => bytes[page * PAGE]), [0, 1, 9, 0]);
  assert.deepEqual([...record.stretches(0)], []);
});

test("an image on the same base takes the place of another, larger or smaller, also where one has nothing", () => {
  const base = imageOf(memoryOf(1, { 1: 1, 2: 2, 6: 6 }));
  const one = imageOf(memoryOf(1, { 1: 1, 2: 20, 6: 6, 9: 9 }), base);
  const file = encodeImage(imageOf(memoryOf(2, { 1: 1, 2: 2, 6: 60, 11: 11, 20: 20 }), base), { base });
  const other = decodeImage(file, base);
  for (const [from, to] of [[one, other], [base, one], [one, base]] as const) {
    const memory = memoryOf(1, {});
    assert.ok(resetToImage(from, memory, NO_GLOBALS));
    assert.ok(resetToImage(to, memory, NO_GLOBALS, { image: from, record: recordOf() }));
    const expected = memoryOf(to.pages, {});
    assert.ok(resetToImage(to, expected, NO_GLOBALS));
    assert.deepEqual(Buffer.from(memory.buffer), Buffer.from(expected.buffer));
  }
});

test("only what isn't the very same bytes counts as a difference", () => {
  const base = imageOf(memoryOf(1, { 1: 1, 2: 2, 3: 3 }));
  const changed = imageOf(memoryOf(1, { 1: 1, 2: 9, 3: 3 }), base);
  assert.deepEqual([...differences(base, changed)], [[2 * PAGE, 3 * PAGE]]);
  assert.deepEqual([...differences(base, base)], []);
  const elsewhere = imageOf(memoryOf(1, { 1: 1, 2: 2, 3: 3 }));
  assert.deepEqual([...differences(base, elsewhere)], [[PAGE, 4 * PAGE]]);
});

test("a memory that has grown past the image is not reset, whatever is recorded", () => {
  const image = imageOf(memoryOf(1, {}));
  assert.equal(resetToImage(image, memoryOf(2, {}), NO_GLOBALS, { image, record: recordOf() }), false);
  assert.equal(WASM_PAGE % PAGE, 0);
});
