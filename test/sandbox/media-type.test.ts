import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaType } from "../../src/sandbox/media-type.ts";

test("a file's type is known by the end of its name, whatever its case", () => {
  assert.equal(mediaType("/work/plot.PNG"), "image/png");
  assert.equal(mediaType("/work/a.b/Book.XLSX"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
});

test("a name without an end, or with an end that nobody knows, is of bytes", () => {
  assert.equal(mediaType("/work/LICENSE"), "application/octet-stream");
  assert.equal(mediaType("/work/constructor"), "application/octet-stream");
  assert.equal(mediaType("/work/data.frobnicate"), "application/octet-stream");
});
