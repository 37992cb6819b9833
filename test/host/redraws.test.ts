import assert from "node:assert/strict";
import { test } from "node:test";
import { createFoldedOutput } from "../../src/host/redraws.ts";

function written(limit: number, ...parts: string[]): ReturnType<typeof createFoldedOutput> {
  const output = createFoldedOutput(limit);
  for (const part of parts) output.write(Buffer.from(part));
  return output;
}

/** What was written, and what is kept of it. */
const DRAWN: readonly (readonly [written: string, kept: string])[] = [
  ["10%\r20%", "10%\r20%"],
  ["10%\r20%\n30%\r40%\n", "10%\r20%\n30%\r40%\n"],
  ["10%\r20%\r30%", "30%"],
  ["\r 10%\r 20%\r100%\n", "100%\n"],
  ["before\n\r 10%\r 20%\nafter\n\rx\ry\nz", "before\n 20%\nafter\ny\nz"],
  ["a\r\nb\r\n", "a\r\nb\r\n"],
  ["a\rb\rc\r\nd", "c\r\nd"],
  ["a\r", "a"],
  ["a\r\r\r", "a"],
  ["a\rb\rc\r\r", "c"],
  ["done\n\r 99%\r      \r", "done\n"],
  ["\r\r\n", "\r\n"],
  ["\n\r\n", "\n\r\n"],
  ["", ""],
  ["\r", ""],
  ["x\ré\r€", "€"],
];

for (const [text, shown] of DRAWN) {
  test(`a line that is drawn anew counts as it was drawn last: ${JSON.stringify(text)}`, () => {
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 5, 100]) {
      const output = createFoldedOutput(1_000);
      for (let at = 0; at < bytes.length; at += size) output.write(bytes.subarray(at, at + size));
      const told = output.text();
      assert.equal(told.text, shown, `writes of ${size}`);
      assert.equal(told.total, Buffer.byteLength(shown));
    }
  });
}

test("a million drawings of a line displace nothing that was printed before and after", () => {
  const bar = Array.from({ length: 100_000 }, (_, index) => `\r${index}%|${"█".repeat(20)}|`).join("");
  const { text, truncated } = written(1_000, "first\n", bar, "\nlast\n").text();
  assert.deepEqual([text, truncated], [`first\n99999%|${"█".repeat(20)}|\nlast\n`, false]);
});

test("the limit holds for what is kept, and a line longer than any bar is folded no more but cut", () => {
  assert.deepEqual(written(10, "0\r1\r9876543210").text(), { text: "9876543210", truncated: false, total: 10 });
  assert.equal(written(10, "0\r1\r9876543210X").text().truncated, true);
  const { text, truncated } = written(1_000, "x".repeat(1_000_000), "\rend").text();
  assert.ok(truncated && text.length < 1_100 && text.endsWith("end"));
});

test("progress tells the drawing that is the newest, before its line has ended", () => {
  assert.equal(written(1_000, "begun\n", "\r 10%", "\r 20%").newestLine(), "20%");
  assert.equal(written(1_000, "begun\n", "\r 10%\r").newestLine(), "10%");
  assert.equal(written(1_000, "begun\n", "  ").newestLine(), "begun");
  assert.equal(written(1_000, "x".repeat(500)).newestLine(), "x".repeat(200));
});

test("a flood of carriage returns is taken in without growing", () => {
  const output = createFoldedOutput(1_000);
  for (const block of ["\r", "\ra", "a\r\n", "\r\n", "a"]) output.write(Buffer.alloc(4_000_000, block));
  const { text, truncated } = output.text();
  assert.ok(truncated && text.length < 1_100);
});
