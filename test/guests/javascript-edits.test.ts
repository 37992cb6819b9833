import assert from "node:assert/strict";
import { test } from "node:test";
import { createEdits, offsetOf, positionOf } from "../../src/guests/javascript-source/edits.ts";

test("what is not edited comes from where it stood", () => {
  const edits = createEdits("one two three");
  edits.replace(4, 7, "zwei!");
  edits.insert(0, "> ");
  edits.insert(13, ".");
  const { text, origin } = edits.apply();
  assert.equal(text, "> one zwei! three.");
  assert.equal(origin(text.indexOf("one")), 0);
  assert.equal(origin(text.indexOf("three")), 8);
  assert.equal(origin(text.indexOf("three") + 2), 10);
});

test("what was inserted comes from where it was inserted", () => {
  const edits = createEdits("abc");
  edits.insert(1, "XYZ");
  const { text, origin } = edits.apply();
  assert.equal(text, "aXYZbc");
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(origin), [0, 1, 1, 1, 1, 2]);
});

test("at one place, inserted text comes before replaced text", () => {
  const edits = createEdits("import(x)");
  edits.replace(0, 6, "load");
  edits.insert(0, "v = (");
  edits.insert(9, ")");
  assert.equal(edits.apply().text, "v = (load(x))");
});

test("positions count from 1, and go there and back", () => {
  const text = "a\nbc\n\nd";
  for (const [offset, line, column] of [[0, 1, 1], [1, 1, 2], [2, 2, 1], [3, 2, 2], [5, 3, 1], [6, 4, 1], [7, 4, 2]] as const) {
    assert.deepEqual(positionOf(text, offset), { line, column });
    assert.equal(offsetOf(text, line, column), offset);
  }
  assert.equal(offsetOf(text, 9, 1), text.length);
});
