import assert from "node:assert/strict";
import { test } from "node:test";
import { boundaryAfter, boundaryBefore, wellFormed } from "../../src/base/text.ts";

const TEXT = Buffer.from("aé€🐍b");

test("boundaries fall between characters and nowhere else", () => {
  const before = Array.from({ length: TEXT.length + 1 }, (_, at) => boundaryBefore(TEXT, at));
  assert.deepEqual(before, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
  const after = Array.from({ length: TEXT.length + 1 }, (_, at) => boundaryAfter(TEXT, at));
  assert.deepEqual(after, [0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10, 11]);
});

test("a sequence that the bytes end in the middle of is cut off", () => {
  assert.equal(boundaryBefore(TEXT.subarray(0, 9), 9), 6);
});

test("bytes that are no UTF-8 are cut where asked", () => {
  const noise = new Uint8Array(10).fill(0x80);
  assert.equal(boundaryBefore(noise, 7), 7);
  assert.equal(boundaryAfter(noise, 2), 2);
});

test("values become well formed all through", () => {
  assert.deepEqual(wellFormed(["\ud800", { "\udc00": "ok" }, 1, null, true]), ["\ufffd", { "\ufffd": "ok" }, 1, null, true]);
});
