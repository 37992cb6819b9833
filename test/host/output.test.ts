import assert from "node:assert/strict";
import { test } from "node:test";
import { createOutput } from "../../src/host/output.ts";

function written(limit: number, ...parts: (string | Uint8Array)[]): ReturnType<typeof createOutput> {
  const output = createOutput(limit);
  for (const part of parts) output.write(Buffer.from(part));
  return output;
}

test("output up to the limit is kept whole, one byte more is cut in the middle", () => {
  assert.deepEqual(written(10, "01234", "56789").text(), { text: "0123456789", truncated: false, total: 10 });
  assert.deepEqual(written(10, "01234", "56789", "X").text(), {
    text: "01234\n… [1 bytes cut] …\n6789X",
    truncated: true,
    total: 11,
  });
});

test("an odd limit is kept to the byte too", () => {
  assert.equal(written(11, "0123456789X").text().text, "0123456789X");
  assert.equal(written(11, "0123456789XY").text().truncated, true);
});

test("nothing written is an empty text", () => {
  assert.deepEqual(createOutput(1_024).text(), { text: "", truncated: false, total: 0 });
});

test("head and tail are the same however the output was cut into writes", () => {
  const all = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join("");
  const expected = written(500, all).text();
  for (const size of [1, 7, 249, 250, 251, 500, 501, 5_000]) {
    const output = createOutput(500);
    for (let at = 0; at < all.length; at += size) output.write(Buffer.from(all.slice(at, at + size)));
    assert.deepEqual(output.text(), expected, `writes of ${size}`);
  }
  assert.ok(expected.text.startsWith("line 0\n") && expected.text.endsWith("line 999\n"));
  assert.ok(expected.text.includes(`[${(all.length - 500).toLocaleString("en-US")} bytes cut]`));
});

test("the cut splits no character, whatever its width and wherever it falls", () => {
  for (const character of ["é", "€", "🐍"]) {
    for (let shift = 0; shift < 4; shift += 1) {
      const { text, truncated, total } = written(64, "a".repeat(shift) + character.repeat(100)).text();
      assert.ok(truncated && !text.includes("\ufffd"), `${character} ${shift}`);
      const cut = Number(/\[(\d+) bytes cut\]/.exec(text)?.[1]);
      const kept = Buffer.byteLength(text.replace(/\n… .* …\n/, ""));
      assert.equal(kept + cut, total);
    }
  }
});

test("bytes that are no UTF-8 still make a well-formed text", () => {
  const { text } = written(16, Uint8Array.of(0xff, 0xfe, 0xed, 0xa0, 0x80), "x".repeat(30), Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0xf0, 0x9f)).text();
  assert.ok(text.isWellFormed() && text.includes("\ufffd"));
});

test("a flood is taken in without growing", () => {
  const output = createOutput(1_024);
  const block = Buffer.alloc(1_048_576, "flood\n");
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 2_000; count += 1) output.write(block);
  assert.equal(output.text().total, 2_000 * block.length);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1_048_576);
});

test("the bytes are copied before the call is over", () => {
  const bytes = Buffer.from("first");
  const output = createOutput(1_024);
  output.write(bytes);
  bytes.fill("x");
  assert.equal(output.text().text, "first");
});

test("the newest line is the last that says something, cut to a length", () => {
  assert.equal(createOutput(1_024).newestLine(), "");
  assert.equal(written(1_024, "one\ntwo\n\n  \n").newestLine(), "two");
  assert.equal(written(1_024, "10%\r20%\r30%").newestLine(), "30%");
  assert.equal(written(1_024, "x".repeat(500)).newestLine(20), "x".repeat(20));
  assert.equal(written(32, `${"first\n".repeat(20)}last`).newestLine(), "last");
  assert.ok(written(1_024, "🐍".repeat(150)).newestLine(199).isWellFormed());
});
