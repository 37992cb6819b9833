import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { decodePack, encodePack } from "../../../src/host/files/pack.ts";

const FILES = new Map([
  ["b/é.txt", Buffer.from("two")],
  ["a", Buffer.from("one")],
  ["empty", new Uint8Array(0)],
]);

test("a pack gives back its files, as views of its own bytes", () => {
  const bytes = encodePack(FILES);
  const files = decodePack(bytes);
  assert.deepEqual([...files].map(([path, content]) => [path, Buffer.from(content).toString()]), [
    ["a", "one"],
    ["b/é.txt", "two"],
    ["empty", ""],
  ]);
  assert.ok([...files.values()].every((content) => content.buffer === bytes.buffer));
});

test("the same files make the same pack in any order", () => {
  assert.deepEqual(encodePack(FILES), encodePack(new Map([...FILES].reverse())));
});

test("a pack in memory shared between threads is read in place", () => {
  const bytes = encodePack(FILES);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  assert.equal(decodePack(shared).get("a")?.buffer, shared.buffer);
});

test("a pack that is cut anywhere, or none at all, is refused", () => {
  const bytes = encodePack(FILES);
  for (let size = 0; size < bytes.length; size += 1) {
    assert.throws(() => decodePack(bytes.subarray(0, size)), (error) => isBelljarError(error, "ASSET_MISSING"), String(size));
  }
  assert.throws(() => decodePack(Buffer.from("PK\u0003\u0004 no pack")), (error) => isBelljarError(error, "ASSET_MISSING"));
});
