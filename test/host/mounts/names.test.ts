import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainName } from "../../../src/host/mounts/names.ts";

test("on Windows, names of devices, streams and drives are no files", () => {
  for (const name of ["CON", "nul.txt", "COM1", "a:b", "C:", "..\\x", "dot.", "space ", "a*"]) {
    assert.equal(isPlainName(name, "win32"), false, name);
    assert.equal(isPlainName(name, "linux"), true, name);
  }
  assert.equal(isPlainName("console.txt", "win32"), true);
});
