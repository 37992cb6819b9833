import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { encodeBlocks, roomFor, unpackBlock, unpackBlocks } from "../../src/engine/blocks.ts";
import { isBelljarError } from "../../src/base/errors.ts";

/** Two and a half blocks, of which no two are alike. */
const FILE = Uint8Array.from({ length: 2.5 * 1_048_576 }, (_, at) => (at * 7 + (at >> 12) * 31) & 0xff);

test("a file of blocks is smaller, and unpacks to what it was", () => {
  const packed = encodeBlocks(FILE);
  assert.ok(packed.length < FILE.length / 2, String(packed.length));
  assert.ok(Buffer.from(FILE).equals(unpackBlocks(packed, roomFor(packed))));
  const empty = encodeBlocks(new Uint8Array(0));
  assert.equal(unpackBlocks(empty, roomFor(empty)).length, 0);
});

test("what one thread has unpacked another only looks at", async () => {
  const packed = encodeBlocks(FILE);
  const room = roomFor(packed);
  const url = new URL("../../src/engine/blocks.ts", import.meta.url).href;
  const worker = new Worker(`const { workerData: { packed, room } } = require("node:worker_threads"); import(${JSON.stringify(url)}).then(({ unpackBlocks }) => unpackBlocks(packed, room));`, { eval: true, workerData: { packed, room } });
  await new Promise((ended) => worker.once("exit", ended));
  assert.ok(Buffer.from(FILE).equals(Buffer.from(room.bytes)));
  new Uint8Array(room.bytes)[0] = 99;
  assert.equal(unpackBlocks(packed, room)[0], 99);
});

test("a damaged file is refused", () => {
  const packed = encodeBlocks(FILE);
  const refused = (error: unknown): boolean => isBelljarError(error, "ASSET_MISSING");
  for (const bytes of [packed.subarray(0, 8), packed.subarray(0, 18), packed.subarray(0, -1), Buffer.from("no blocks at all")]) assert.throws(() => roomFor(bytes), refused);
  assert.throws(() => unpackBlocks(packed, roomFor(encodeBlocks(FILE.subarray(1)))), refused);
  const [spoilt, longer] = [packed.slice(), packed.slice()];
  spoilt[40] = (spoilt[40] ?? 0) ^ 0xff;
  new DataView(longer.buffer).setUint32(8, FILE.length + 1, true);
  for (const bytes of [spoilt, longer]) assert.throws(() => unpackBlocks(bytes, roomFor(bytes)), refused);
});

test("a file of one block is unpacked while its thread does other things, into memory of its own", async () => {
  const packed = encodeBlocks(FILE, FILE.length);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const bytes = await unpackBlock(packed);
  clearInterval(counting);
  assert.ok(Buffer.from(FILE).equals(bytes));
  assert.ok(turns > 0);
  // Little more than there is, so that nothing of it was copied together.
  assert.ok(bytes.buffer.byteLength <= FILE.length + 1, String(bytes.buffer.byteLength));
});

test("one block that is damaged, or one of several, is refused", async () => {
  const packed = encodeBlocks(FILE, FILE.length);
  const changed = (at: number, by: number): Uint8Array => packed.map((byte, index) => (index === at ? byte + by : byte));
  const cases = [packed.subarray(0, -1), changed(8, 1), changed(8, -1), changed(22, 7), encodeBlocks(FILE), Buffer.from("no blocks at all")];
  for (const bytes of cases) await assert.rejects(unpackBlock(bytes), (error) => isBelljarError(error, "ASSET_MISSING"));
});
