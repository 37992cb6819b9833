import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { saveResults } from "../../src/cli/out-folder.ts";
import { outcomeOf } from "../mcp/fake-sandboxes.ts";

let base = "";
let out = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "belljar-out-"));
  out = join(base, "out");
});
afterEach(() => rmSync(base, { recursive: true }));

async function save(...paths: readonly string[]): Promise<string[]> {
  const files = paths.map((path) => ({ path, mimeType: "text/plain", bytes: Buffer.from("new") }));
  return saveResults(out, { outcome: outcomeOf({}), files, pictures: [] });
}

function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).toSorted();
}

test("files keep their place beneath /work, and pictures are numbered", async () => {
  const bytes = Buffer.from([1, 2, 3]);
  const pictures = ["image/png", "image/jpeg"].map((mimeType) => ({ name: "../x", mimeType, bytes }));
  const files = [{ path: "/work/a/b.bin", mimeType: "", bytes }];
  const lines = await saveResults(out, { outcome: outcomeOf({}), files, pictures });
  assert.deepEqual(everything(out), ["a", join("a", "b.bin"), "picture-1.png", "picture-2.jpg"]);
  assert.deepEqual(readFileSync(join(out, "a", "b.bin")), bytes);
  assert.match(lines[0] ?? "", /b\.bin: 3 bytes$/);
});

test("a file that is there is replaced whole", async () => {
  mkdirSync(out);
  writeFileSync(join(out, "a.txt"), "longer than what comes");
  await save("/work/a.txt");
  assert.equal(readFileSync(join(out, "a.txt"), "utf8"), "new");
});

test("no path leads out of the folder", async () => {
  const lines = await save("/work/../up.txt", "/work/a/../../up.txt", "/etc/over.txt", "/work//x", "/work/.", "/work/a\0b");
  for (const line of lines) assert.match(line, /not written: no file of a folder here can have that name\.$/);
  assert.deepEqual(everything(base), ["out"]);
});

test("a link in the folder is not followed, neither as a folder nor as the file", { skip: process.platform === "win32" }, async () => {
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "elsewhere", "file"), "old");
  mkdirSync(out);
  symlinkSync(join(base, "elsewhere"), join(out, "folder"));
  symlinkSync(join(base, "elsewhere", "file"), join(out, "file"));
  symlinkSync(join(base, "made-by-link"), join(out, "dangling"));
  const lines = await save("/work/folder/x", "/work/file", "/work/dangling", "/work/good");
  assert.match(lines[0] ?? "", /is there and no folder\.$/);
  for (const line of lines.slice(1, 3)) assert.match(line, /not written: /);
  assert.equal(readFileSync(join(base, "elsewhere", "file"), "utf8"), "old");
  assert.deepEqual(readdirSync(join(base, "elsewhere")), ["file"]);
  assert.deepEqual(readdirSync(base).toSorted(), ["elsewhere", "out"]);
  assert.equal(readFileSync(join(out, "good"), "utf8"), "new");
});

test("one file that can't be written doesn't keep the others back", async () => {
  mkdirSync(join(out, "taken"), { recursive: true });
  const lines = await save("/work/taken", "/work/b");
  assert.match(lines[0] ?? "", /"taken" not written: /);
  assert.match(lines[1] ?? "", /b: 3 bytes$/);
});

test("a folder that can't be made is told, and the run's answer with it", async () => {
  writeFileSync(out, "a file");
  assert.match((await save("/work/a.txt")).join("\n"), /^Nothing written to .*out: /);
});
