import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findWheel } from "../../build/find-wheel.ts";
import { sha256 } from "../../build/hash.ts";
import { readLock } from "../../build/lock.ts";

const BYTES = new TextEncoder().encode("stands for a wheel");
const PIN = {
  ...readLock().wheel,
  name: "belljar-no-such-thing",
  file: "belljar_no_such_thing-0.1.0-py3-none-any.whl",
  bytes: BYTES.length,
  sha256: sha256(BYTES),
};

let folder = "";
const saved = { ...process.env };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "belljar-wheel-"));
  delete process.env["BELLJAR_WHEEL"];
  process.env["BELLJAR_CACHE"] = folder;
  // Nothing named pip is found here: what can't be had from the disk can't be had.
  process.env["PATH"] = folder;
});
afterEach(() => {
  process.env = { ...saved };
  rmSync(folder, { recursive: true });
});

test("a wheel that is named is taken when it is the pinned one", () => {
  const path = join(folder, "elsewhere.whl");
  writeFileSync(path, BYTES);
  process.env["BELLJAR_WHEEL"] = path;
  assert.deepEqual(new Uint8Array(findWheel(PIN)), BYTES);
});

test("a wheel that is named and is another is refused with both hashes", () => {
  const path = join(folder, "elsewhere.whl");
  const other = new TextEncoder().encode("stands for a whale");
  writeFileSync(path, other);
  process.env["BELLJAR_WHEEL"] = path;
  assert.throws(() => findWheel(PIN), {
    name: "BuildError",
    message: `BELLJAR_WHEEL (${path}) is not what wasm/lock.json pins: its sha256 is ${sha256(other)}, ${PIN.sha256} was expected.`,
  });
});

test("a wheel that is named and is not there is told", () => {
  process.env["BELLJAR_WHEEL"] = join(folder, "none.whl");
  assert.throws(() => findWheel(PIN), { name: "BuildError", message: /BELLJAR_WHEEL names .*none\.whl, which is not there\./ });
});

test("a wheel in the cache is taken without asking pip", () => {
  writeFileSync(join(folder, PIN.file), BYTES);
  assert.deepEqual(new Uint8Array(findWheel(PIN)), BYTES);
});

test("a damaged wheel in the cache is thrown away, and without pip the error says what to do", () => {
  writeFileSync(join(folder, PIN.file), BYTES.subarray(1));
  assert.throws(() => findWheel(PIN), (error: Error) => {
    assert.match(error.message, /There is no pip on this machine\./);
    assert.match(error.message, /BELLJAR_WHEEL/);
    assert.ok(error.message.includes(PIN.sha256));
    return true;
  });
  assert.equal(existsSync(join(folder, PIN.file)), false);
});
