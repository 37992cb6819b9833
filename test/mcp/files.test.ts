import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentsOf, checkArguments } from "../../src/mcp/arguments.ts";
import { files } from "../../src/mcp/files.ts";

const check = (given: unknown) => checkArguments(argumentsOf({ files: files(10) }), { files: given });

test("files are given as text or base64, beneath /work whether said or not", () => {
  assert.deepEqual(check([{ path: "a.txt", text: "é" }, { path: "/work/b/c.bin", base64: "AP8=" }]), {
    value: {
      files: [
        { path: "/work/a.txt", bytes: Uint8Array.of(0xc3, 0xa9) },
        { path: "/work/b/c.bin", bytes: Uint8Array.of(0, 255) },
      ],
    },
  });
});

for (const path of ["../x", "/etc/passwd", "a/../../x", "", "a//b", "./a", "a/", "a\0b", "/work", "/work/../etc/x", "\ud800"]) {
  test(`the path ${JSON.stringify(path)} is refused`, () => {
    const checked = check([{ path, text: "" }]);
    assert.ok("refusal" in checked && checked.refusal.startsWith("files[0].path must stay beneath /work"), JSON.stringify(checked));
  });
}

test("a file without content, with two, or with broken base64 is refused by its number and path", () => {
  for (const content of [{}, { text: "", base64: "" }, { base64: "AP8" }, { base64: "not base64!" }]) {
    const checked = check([{ path: "ok", text: "" }, { path: "x.bin", ...content }]);
    assert.deepEqual(checked, { refusal: 'files[1] ("x.bin") must have its content either as text or as valid base64.' });
  }
});

test("files may have the bytes that a sandbox has, and not one more", () => {
  assert.ok("value" in check([{ path: "a", text: "12345" }, { path: "b", text: "12345" }]));
  assert.deepEqual(check([{ path: "a", text: "12345" }, { path: "b", text: "123456" }]), {
    refusal: "files must be at most 10 bytes on this server, and was 11.",
  });
});

test("an unknown member of a file is named with the known ones", () => {
  const checked = check([{ path: "a", content: "x" }]);
  assert.ok("refusal" in checked && checked.refusal.includes('Unknown argument "content". Known arguments: path, text, base64.'));
});
