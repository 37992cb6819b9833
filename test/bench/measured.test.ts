import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openShelf } from "./measured.ts";
import { atLeastTimes, atMost, type Row } from "./rows.ts";

const folder = mkdtempSync(join(tmpdir(), "belljar-shelf-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const rows: readonly Row[] = [
  atMost(2, { what: "a call", unit: "ms", values: [1.5, 2] }),
  atLeastTimes(2, "another", NaN, { what: "beside what was not measured", who: "both", unit: "times", values: [NaN] }),
];

test("a chapter that one run has measured is there in the next, figures that could not be measured among them", () => {
  openShelf(folder, "a").put("calls", { setting: "here", load: 0.5, rows });
  assert.deepEqual(openShelf(folder, "a").get("calls"), { setting: "here", load: 0.5, rows });
});

test("a chapter measured again takes the place of the one before", () => {
  const shelf = openShelf(folder, "b");
  shelf.put("calls", { setting: "here", load: 0.5, rows });
  shelf.put("calls", { setting: "later", load: 2, rows: [] });
  assert.deepEqual(shelf.get("calls"), { setting: "later", load: 2, rows: [] });
});

test("what was measured of another build is not told of this one, nor what was never measured", () => {
  openShelf(folder, "c").put("calls", { setting: "here", load: 0.5, rows });
  assert.equal(openShelf(folder, "d").get("calls"), undefined);
  assert.equal(openShelf(folder, "c").get("starts"), undefined);
});
