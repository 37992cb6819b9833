import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryPages } from "../../build/memory-pages.ts";

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

test("the least size of a memory is read, with and without a maximum", () => {
  assert.equal(memoryPages(Uint8Array.from([...HEADER, 5, 4, 1, 0, 0x80, 0x02])), 256);
  assert.equal(memoryPages(Uint8Array.from([...HEADER, 5, 4, 1, 1, 3, 7])), 3);
});

test("a module without a memory is refused", () => {
  assert.throws(() => memoryPages(Uint8Array.from(HEADER)), { message: "The module defines no memory." });
  assert.throws(() => memoryPages(Uint8Array.from([...HEADER, 5, 1, 0])), { message: "The module defines no memory." });
});
