import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptFiles } from "../../src/mcp/kept-files.ts";

const file = (path: string, size: number) => ({ path, mimeType: "text/plain", bytes: new Uint8Array(size) });

test("a kept file is read by its URI, which says its path and can't be guessed", () => {
  const kept = createKeptFiles({ maxBytes: 100, maxMs: 1_000 });
  const [uri = ""] = kept.keep([file("/work/a b/ü.txt", 3)]);
  assert.match(uri, /^belljar:\/\/[0-9a-f]{12}\/work\/a%20b\/%C3%BC\.txt$/);
  assert.equal(kept.read(uri)?.bytes.length, 3);
  assert.equal(kept.read(uri.replace("a%20b", "..")), undefined);
});

test("at the cap all is kept, and one byte more drops the oldest", () => {
  const kept = createKeptFiles({ maxBytes: 100, maxMs: 1_000 });
  const [first = ""] = kept.keep([file("/work/1", 60)]);
  const [second = ""] = kept.keep([file("/work/2", 40)]);
  assert.equal(kept.list().length, 2);
  const [third = ""] = kept.keep([file("/work/3", 1)]);
  assert.deepEqual([first, second, third].map((uri) => kept.read(uri) !== undefined), [false, true, true]);
});

test("a file larger than the cap is not kept, and drops no other", () => {
  const kept = createKeptFiles({ maxBytes: 100, maxMs: 1_000 });
  const [small = ""] = kept.keep([file("/work/small", 10)]);
  assert.deepEqual(kept.keep([file("/work/large", 101)]), [undefined]);
  assert.notEqual(kept.read(small), undefined);
});

test("a file is dropped when its time is over", () => {
  let time = 0;
  const kept = createKeptFiles({ maxBytes: 100, maxMs: 1_000, now: () => time });
  const [uri = ""] = kept.keep([file("/work/a", 1)]);
  time = 999;
  assert.notEqual(kept.read(uri), undefined);
  time = 1_000;
  assert.equal(kept.read(uri), undefined);
  assert.deepEqual(kept.list(), []);
});
