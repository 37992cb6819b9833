import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openHistory } from "../../../src/host/state/history-file.ts";

const root = mkdtempSync(join(tmpdir(), "belljar-history-"));
after(() => rmSync(root, { recursive: true }));

test("lines come back newest first, without empty ones and repeats, and the oldest go", () => {
  const first = openHistory(root, "python");
  assert.deepEqual(first.lines, []);
  for (const line of ["a", "b", "b", "  ", "a"]) first.add(line);
  assert.deepEqual(openHistory(root, "python").lines, ["a", "b", "a"]);
  assert.deepEqual(openHistory(root, "javascript").lines, []);
  const second = openHistory(root, "python");
  for (let n = 0; n < 1_500; n += 1) second.add(String(n));
  const { lines } = openHistory(root, "python");
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [1_000, "1499", "500"]);
  assert.equal(readFileSync(join(root, "python.history"), "utf8").split("\n").length, 1_001);
});

test("a folder that can't be written to is no failure", () => {
  const history = openHistory(join(root, "none"), "python");
  history.add("a");
  assert.deepEqual(history.lines, []);
});
