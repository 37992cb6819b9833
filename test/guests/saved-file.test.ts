import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeSaved, encodeSaved } from "../../src/guests/saved-file.ts";
import { writeFile } from "../../src/host/files/access.ts";
import { createBaseLayer } from "../../src/host/files/base-layer.ts";
import { createDescriptors } from "../../src/host/files/descriptors.ts";
import { saveFiles } from "../../src/host/files/saved-files.ts";
import { createFileTree } from "../../src/host/files/tree.ts";

const options = { base: createBaseLayer([]), fileBytes: 1_048_576, now: () => 1_700_000_000_123_456_789n };

function sandbox() {
  const files = createDescriptors(createFileTree(options));
  writeFile(files.tree, "/work/a/b.txt", Buffer.from("héllo"));
  writeFile(files.tree, "/work/empty", new Uint8Array(0));
  return { image: "data", memory: Uint8Array.of(1, 2, 3, 0, 255), memoryBytes: 131_072, clockMs: 12.5, savedAt: 1_700_000_000_000, files: saveFiles(files) };
}

test("a sandbox at rest comes back from its bytes as it was, on memory that threads share", () => {
  const saved = sandbox();
  const back = decodeSaved(shared(Buffer.concat(encodeSaved(saved))));
  assert.deepEqual({ ...back, memory: Uint8Array.from(back.memory) }, { ...saved, files: plain(saved.files) });
  assert.ok(back.memory.buffer instanceof SharedArrayBuffer);
});

test("one without files too", () => {
  const back = decodeSaved(Buffer.concat(encodeSaved({ ...sandbox(), files: undefined })));
  assert.equal(back.files, undefined);
});

test("bytes that are cut off, longer, or of another shape are refused", () => {
  const bytes = Buffer.concat(encodeSaved(sandbox()));
  for (const wrong of [bytes.subarray(0, 3), bytes.subarray(0, 40), bytes.subarray(0, -1), Buffer.concat([bytes, bytes])]) {
    assert.throws(() => decodeSaved(wrong), { code: "BAD_STATE" });
  }
  const json = Buffer.from(JSON.stringify({ image: "data", memory: -1, memoryBytes: 0, clockMs: 0 }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  assert.throws(() => decodeSaved(Buffer.concat([length, json])), { code: "BAD_STATE" });
});

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** Without what only tells a Buffer from another array of bytes. */
function plain(files: ReturnType<typeof saveFiles>): unknown {
  return { ...files, nodes: files.nodes.map((node) => (node.kind === "file" ? { ...node, bytes: Uint8Array.from(node.bytes) } : node)) };
}
