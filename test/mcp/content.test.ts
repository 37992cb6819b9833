import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { answer, type Delivery, type Shape, shapeFor } from "../../src/mcp/content.ts";
import { createKeptFiles } from "../../src/mcp/kept-files.ts";
import type { Picture } from "../../src/policy/outcome.ts";
import { outcomeOf } from "./fake-sandboxes.ts";

function png(width: number, height: number, padding = 0): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array): Uint8Array => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    // Readers of these tests look at no checksum but the one that ends the file.
    const sum = type === "IEND" ? Buffer.from([0xae, 0x42, 0x60, 0x82]) : Buffer.alloc(4);
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = Buffer.concat([deflateSync(Buffer.alloc(8)), Buffer.alloc(padding)]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const kept = createKeptFiles({ maxBytes: 1_000_000, maxMs: 60_000 });
const to = (shape: Shape): Delivery => ({ shape, kept, keptMinutes: 30 });
const picture = (bytes: Uint8Array<ArrayBuffer>, mimeType = "image/png"): Picture => ({ name: "figure", mimeType, bytes });
const contentOf = (pictures: readonly Picture[]) => answer({ outcome: outcomeOf({}), pictures, files: [] }, to("both")).content;

test("pictures are image content after the text", () => {
  const bytes = png(640, 480);
  assert.deepEqual(contentOf([picture(bytes)]), [
    { type: "text", text: "1 picture" },
    { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: "image/png" },
  ]);
});

test("a picture that is not what it says is left out, and that is said", () => {
  const bad = [
    picture(new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'></svg>")),
    picture(png(1, 1), "image/svg+xml"),
    picture(png(8_001, 10)),
    picture(png(0, 10)),
    picture(png(10, 10).subarray(0, -1)),
    picture(new Uint8Array(), "image/jpeg"),
  ];
  assert.deepEqual(contentOf(bad), [
    { type: "text", text: "note: 6 pictures left out: not a PNG or JPEG that clients can show." },
  ]);
});

test("the largest side that clients take is taken", () => {
  assert.equal(contentOf([picture(png(8_000, 8_000))]).length, 2);
});

test("an answer carries ten pictures and says how many it left out", () => {
  const content = contentOf(Array.from({ length: 12 }, () => picture(png(1, 1))));
  assert.equal(content.filter(({ type }) => type === "image").length, 10);
  assert.deepEqual(content[0], {
    type: "text",
    text: "note: 2 pictures left out: an answer carries at most 10 pictures and 4,194,304 bytes of them.",
  });
});

test("pictures together stay within their bytes", () => {
  const content = contentOf([picture(png(1, 1, 3_000_000)), picture(png(1, 1, 3_000_000)), picture(png(1, 1))]);
  assert.equal(content.filter(({ type }) => type === "image").length, 2);
});

test("every status but ok is an error to the client", () => {
  assert.equal(answer({ outcome: outcomeOf({}), pictures: [], files: [] }, to("both")).isError, undefined);
  for (const status of ["error", "timeout", "out_of_fuel", "out_of_memory", "killed", "crashed"] as const) {
    assert.equal(answer({ outcome: outcomeOf({ status }), pictures: [], files: [] }, to("both")).isError, true, status);
  }
});

test("a value shaped like an error or an answer stays a value", () => {
  const result = { error: { type: "x" }, isError: true, content: [{ type: "text", text: "hi" }] };
  const { isError, structuredContent } = answer({ outcome: outcomeOf({ result }), pictures: [], files: [] }, to("both"));
  assert.equal(isError, undefined);
  assert.deepEqual(Object(structuredContent).result, result);
});

test("structured content is well-formed, keys included", () => {
  const outcome = outcomeOf({ result: { "k\ud83d": ["\udc00"] }, stdout: "\ud83d" });
  const { structuredContent } = answer({ outcome, pictures: [], files: [] }, to("structured"));
  assert.deepEqual(Object(structuredContent).result, { "k\ufffd": ["\ufffd"] });
  assert.ok(!/\\ud[89a-f]/i.test(JSON.stringify(structuredContent)));
});

test("only the flag, or a name known to drop content, changes what an answer carries", () => {
  assert.equal(shapeFor("auto", "claude-code"), "text");
  assert.equal(shapeFor("auto", "claude-code-like"), "both");
  assert.equal(shapeFor("auto", undefined), "both");
  assert.equal(shapeFor("both", "claude-code"), "both");
});

const linesOf = (mark: string, count: number): string => Array.from({ length: count }, (_, line) => `${mark} ${String(line)}\n`).join("");
const rest = (parts: Parameters<typeof outcomeOf>[0]) => {
  const shelf = createKeptFiles({ maxBytes: 1_000_000, maxMs: 60_000 });
  const { content } = answer({ outcome: outcomeOf(parts), pictures: [], files: [] }, { shape: "text", kept: shelf, keptMinutes: 30 });
  const text = String(content[0]?.type === "text" ? content[0].text : "");
  return { text, whole: Object.fromEntries(shelf.list().map(({ uri, path, bytes }) => [path, [text.includes(uri), new TextDecoder().decode(bytes)]])) };
};

test("a part that the text cuts is a resource, whole, which the text names", () => {
  const long = linesOf("out", 4_000);
  const { text, whole } = rest({ stdout: long });
  assert.ok(text.length <= 20_000, String(text.length));
  assert.deepEqual(whole, { "stdout.txt": [true, long] });
});

test("of a failed call, whose text is shorter, what is cut is a resource too, the error itself as well", () => {
  const [stdout, traceback] = [linesOf("out", 1_500), `Traceback\n${linesOf("frame", 1_500)}E: m`];
  const { text, whole } = rest({ status: "error", stdout, error: { type: "E", message: "m", traceback } });
  assert.ok(text.length <= 10_000, String(text.length));
  assert.deepEqual(whole, { "stdout.txt": [true, stdout], "error.txt": [true, traceback] });
});

test("a short part that long ones press is kept whole or is a resource", () => {
  const [stderr, repr] = [linesOf("warn", 500), "x".repeat(100_000)];
  const { text, whole } = rest({ stdout: linesOf("out", 4_000), stderr, repr });
  assert.ok(text.includes(stderr.trimEnd()) || whole["stderr.txt"]?.[1] === stderr);
  assert.deepEqual(whole["repr.txt"], [true, repr]);
});

test("what fits the text leaves no resource", () => {
  assert.deepEqual(rest({ stdout: "x".repeat(19_000) }).whole, {});
  assert.deepEqual(rest({ status: "error", stdout: "x".repeat(9_000), error: { type: "E", message: "m" } }).whole, {});
});
