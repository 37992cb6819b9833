import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { hashPaths, sha256, sizesOf } from "../../build/hash.ts";
import { ROOT } from "../../build/paths.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "belljar-hash-"));
  path = relative(ROOT, folder);
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in", "a.txt"), "one");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the hash of a folder is that of its content, whatever the dates", () => {
  const before = hashPaths([path]);
  utimesSync(join(folder, "in", "a.txt"), 0, 0);
  assert.equal(hashPaths([path]), before);
});

test("a changed byte, a new file and another name each change the hash", () => {
  const hashes = [hashPaths([path])];
  writeFileSync(join(folder, "in", "a.txt"), "two");
  hashes.push(hashPaths([path]));
  writeFileSync(join(folder, "in", "b.txt"), "");
  hashes.push(hashPaths([path]));
  rmSync(join(folder, "in", "b.txt"));
  writeFileSync(join(folder, "in", "c.txt"), "");
  hashes.push(hashPaths([path]));
  assert.equal(new Set(hashes).size, hashes.length);
});

test("what is missing is told by the hash and by the sizes", () => {
  const [hash, sizes] = [hashPaths([path]), sizesOf([path])];
  rmSync(join(folder, "in", "a.txt"));
  assert.notEqual(hashPaths([path]), hash);
  assert.notEqual(sizesOf([path]), sizes);
});

test("a sha256 is written in hex", () => {
  assert.equal(sha256(new TextEncoder().encode("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
