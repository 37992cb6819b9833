import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptFiles, weightOf } from "../../src/mcp/kept-files.ts";

const CAP = 100_000;
const file = (path: string, size: number) => ({ path, mimeType: "text/plain", bytes: new Uint8Array(size) });

test("a kept file is read by its URI, which says its path and can't be guessed", () => {
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000 });
  const [uri = ""] = kept.keep([file("/work/a b/ü.txt", 3)]);
  assert.match(uri, /^belljar:\/\/[0-9a-f]{12}\/work\/a%20b\/%C3%BC\.txt$/);
  assert.equal(kept.read(uri)?.bytes.length, 3);
  assert.equal(kept.read(uri.replace("a%20b", "..")), undefined);
});

test("at the cap all is kept, and one file more drops the oldest, though it is empty", () => {
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000 });
  const [first = ""] = kept.keep([file("/work/1", 60_000)]);
  const [second = ""] = kept.keep([file("/work/2", CAP - weightOf(file("/work/1", 60_000)) - weightOf(file("/work/2", 0)))]);
  assert.equal(kept.list().length, 2);
  const [third = ""] = kept.keep([file("/work/3", 0)]);
  assert.deepEqual([first, second, third].map((uri) => kept.read(uri) !== undefined), [false, true, true]);
});

test("a file larger than the cap is not kept, and drops no other", () => {
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000 });
  const [small = ""] = kept.keep([file("/work/small", 10)]);
  assert.deepEqual(kept.keep([file("/work/large", CAP)]), [undefined]);
  assert.notEqual(kept.read(small), undefined);
});

test("a file is dropped when its time is over", () => {
  let time = 0;
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000, now: () => time });
  const [uri = ""] = kept.keep([file("/work/a", 1)]);
  time = 999;
  assert.notEqual(kept.read(uri), undefined);
  time = 1_000;
  assert.equal(kept.read(uri), undefined);
  assert.deepEqual(kept.list(), []);
});

test("files without content count too, so that their number is bounded", () => {
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000 });
  for (let run = 0; run < 100; run += 1) kept.keep(Array.from({ length: 100 }, (_, at) => file(`/work/${at}`, 0)));
  assert.ok(kept.list().length > 10 && kept.list().length < CAP / 1_000, String(kept.list().length));
});

test("a small file does not hold the message that it came in", () => {
  const kept = createKeptFiles({ maxBytes: CAP, maxMs: 1_000 });
  const message = new Uint8Array(1_000_000).fill(7);
  const [uri = ""] = kept.keep([{ path: "/work/a", mimeType: "text/plain", bytes: message.subarray(5, 8) }]);
  const { bytes } = kept.read(uri) ?? assert.fail("it is kept");
  assert.deepEqual([[...bytes], bytes.buffer.byteLength], [[7, 7, 7], 3]);
});
