import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Payload } from "../../../src/host/state/state-parts.ts";
import { PREFIX_BYTES, type Stored, type Writer } from "../../../src/host/state/state-file.ts";
import { openStateFolder, type StateFolder } from "../../../src/host/state/state-folder.ts";

const writer: Writer = { belljar: "1.2.3", guests: { python: "aa", javascript: "bb" } };
const text = Buffer.from("what the sandbox is");
const payload = payloadOf(text);
const root = mkdtempSync(join(tmpdir(), "belljar-state-"));
after(() => rmSync(root, { recursive: true }));

function stored(name: string, more: Partial<Stored> = {}): Stored {
  return { name, language: "python", turns: 3, reseed: false, memoryBytes: 65_536, ...more };
}

/** A folder that holds one sandbox named `a`, left by a Belljar that has ended; and the path of its file. */
async function oneStored(): Promise<{ folder: string; file: string }> {
  const folder = mkdtempSync(join(root, "f-"));
  using state = openStateFolder(folder, writer);
  await state.save(stored("a"), payload);
  const name = readdirSync(folder).find((entry) => entry.endsWith(".belljar"));
  return { folder, file: join(folder, name ?? "none") };
}

test("what was saved is there for the next one, with what is told of it", async () => {
  const folder = mkdtempSync(join(root, "f-"));
  {
    using first = openStateFolder(join(folder, "new", "deep"), writer);
    assert.deepEqual(first.list(), []);
    const bytes = await first.save(stored("a", { parent: "p", turns: 7, reseed: true }), payload);
    assert.ok(bytes > text.length);
  }
  using second = openStateFolder(join(folder, "new", "deep"), writer);
  const [{ diskBytes, ...told } = { diskBytes: 0 }] = second.list().map(({ name, parent, turns, reseed, diskBytes }) => ({ name, parent, turns, reseed, diskBytes }));
  assert.deepEqual(told, { name: "a", parent: "p", turns: 7, reseed: true });
  assert.ok(diskBytes > text.length);
  assert.deepEqual(await contentOf(second, "a"), text);
});

test("the newest save counts, whatever comes in between, and what was removed is gone", async () => {
  const { folder } = await oneStored();
  using state = openStateFolder(folder, writer);
  await Promise.all([1, 2, 3].map((turns) => state.save(stored("a", { turns }), payloadOf(Buffer.from(`turn ${String(turns)}`)))));
  assert.equal((await contentOf(state, "a")).toString(), "turn 3");
  await Promise.all([state.save(stored("a"), payload), state.remove("a")]);
  assert.deepEqual(state.list(), []);
  assert.deepEqual(readdirSync(folder), ["lock"]);
});

test("names that differ in capitals alone have files of their own, and none is a device's name", async () => {
  const folder = mkdtempSync(join(root, "f-"));
  const names = ["Data", "data", "DATA", "con", "a.b", "nul", "x_Y-z"];
  {
    using state = openStateFolder(folder, writer);
    for (const name of names) await state.save(stored(name), payloadOf(Buffer.from(name)));
  }
  const files = readdirSync(folder).map((file) => file.toLowerCase());
  assert.equal(new Set(files).size, names.length);
  for (const file of files) assert.doesNotMatch(file, /^(con|nul)\b/);
  using state = openStateFolder(folder, writer);
  for (const name of names) assert.equal((await contentOf(state, name)).toString(), name);
});

const misfits: Record<string, { spoil: (file: string) => void; reason: RegExp; writer?: Writer }> = {
  "another version's": { spoil: () => {}, reason: /written by Belljar 1\.2\.3, and this is 2\.0\.0/, writer: { ...writer, belljar: "2.0.0" } },
  "another guest's": { spoil: () => {}, reason: /another build of the python guest/, writer: { ...writer, guests: { python: "cc", javascript: "bb" } } },
  "an empty": { spoil: (file) => truncateSync(file, 0), reason: /not a state file of Belljar/ },
  "a foreign": { spoil: (file) => writeFileSync(file, "PK\u0003\u0004 something else entirely, longer than a prefix is"), reason: /not a state file of Belljar/ },
  "a cut off": { spoil: (file) => truncateSync(file, readFileSync(file).length - 1), reason: /it is \d+ bytes, and should be \d+/ },
  "a file cut off in its header": { spoil: (file) => truncateSync(file, PREFIX_BYTES + 5), reason: /cut off/ },
  "a file cut off before its header": { spoil: (file) => truncateSync(file, 20), reason: /cut off/ },
  "a longer": { spoil: (file) => writeFileSync(file, "x", { flag: "a" }), reason: /should be/ },
  "another format's": { spoil: (file) => flip(file, 8), reason: /its format is \d+/ },
  "a file with a damaged header": { spoil: (file) => flip(file, PREFIX_BYTES + 9), reason: /header is damaged/ },
};

for (const [what, { spoil, reason, writer: reader = writer }] of Object.entries(misfits)) {
  test(`${what} file is refused with its reason, and left as it is`, async () => {
    const { folder, file } = await oneStored();
    spoil(file);
    const before = readFileSync(file);
    using state = openStateFolder(folder, reader);
    assert.deepEqual(state.list(), []);
    assert.match(state.refusal("a") ?? "", reason);
    for (const work of [state.load("a"), state.save(stored("a"), payload), state.remove("a")]) {
      await assert.rejects(work, { code: "REFUSED", message: reason });
    }
    assert.deepEqual(readFileSync(file), before);
    await state.save(stored("b"), payload);
  });
}

test("damaged content is found when it is loaded, and from then on refused", async () => {
  const { folder, file } = await oneStored();
  flip(file, readFileSync(file).length - 1);
  using state = openStateFolder(folder, writer);
  assert.equal(state.list().length, 1);
  await assert.rejects(contentOf(state, "a"), { code: "REFUSED", message: /checksum differs/ });
  assert.match(state.refusal("a") ?? "", /checksum/);
  await assert.rejects(state.remove("a"), { code: "REFUSED" });
});

test("the file of one sandbox under the name of another is refused", async () => {
  const { folder, file } = await oneStored();
  writeFileSync(file.replace("=a.", "=b."), readFileSync(file));
  using state = openStateFolder(folder, writer);
  assert.match(state.refusal("b") ?? "", /file of the sandbox "a"/);
});

test("a save that was cut short leaves the one before it, and nothing else", async () => {
  const { folder } = await oneStored();
  writeFileSync(join(folder, "0123.aside"), "half a fi");
  using state = openStateFolder(folder, writer);
  assert.deepEqual(await contentOf(state, "a"), text);
  assert.deepEqual(readdirSync(folder).sort(), ["=a.belljar", "lock"]);
});

test("content that is not as long as was said, or breaks off, leaves the save before it", async () => {
  const { folder } = await oneStored();
  using state = openStateFolder(folder, writer);
  const { parts } = payloadOf(Buffer.from("something else"));
  await assert.rejects(state.save(stored("a"), { bytes: 15, parts }), { code: "BAD_STATE", message: /is 14 bytes, and should be 15/ });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield text;
    throw new Error("the engine is gone");
  }
  await assert.rejects(state.save(stored("a"), { bytes: 99, parts: broken() }), { message: "the engine is gone" });
  assert.deepEqual(await contentOf(state, "a"), text);
  assert.deepEqual(readdirSync(folder).sort(), ["=a.belljar", "lock"]);
});

test("what is being read stays what it was while a newer save takes its place", async () => {
  const folder = mkdtempSync(join(root, "f-"));
  using state = openStateFolder(folder, writer);
  const old = Buffer.alloc(3_000_000, 1);
  await state.save(stored("a"), payloadOf(old, 100_000));
  const { parts } = await state.load("a");
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  await state.save(stored("a"), payload);
  const rest = await Array.fromAsync({ [Symbol.asyncIterator]: () => reader });
  assert.deepEqual(Buffer.concat([first.value, ...rest]), old);
  assert.deepEqual(await contentOf(state, "a"), text);
});

test("a folder in use by a running process is refused, and one left by a dead process is taken over", () => {
  const folder = mkdtempSync(join(root, "f-"));
  writeFileSync(join(folder, "lock"), String(process.ppid));
  assert.throws(() => openStateFolder(folder, writer), { code: "REFUSED", message: /in use by another Belljar/ });
  writeFileSync(join(folder, "lock"), "2147483646");
  {
    using _state = openStateFolder(folder, writer);
    assert.deepEqual(readdirSync(folder), ["lock"]);
  }
  assert.deepEqual(readdirSync(folder), []);
});

test("a lock whose number another process has by now is taken over", { skip: process.platform !== "linux" }, () => {
  const folder = mkdtempSync(join(root, "f-"));
  writeFileSync(join(folder, "lock"), `${String(process.ppid)} 1`);
  using _first = openStateFolder(folder, writer);
  assert.throws(() => openStateFolder(folder, writer), { code: "REFUSED" });
});

test("a folder that can't be made is refused", () => {
  const file = join(mkdtempSync(join(root, "f-")), "file");
  writeFileSync(file, "");
  assert.throws(() => openStateFolder(join(file, "sub"), writer), { code: "REFUSED", message: /can't be used/ });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

/** Bytes in parts of one size. */
function payloadOf(bytes: Uint8Array, size = 7): Payload {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return { bytes: bytes.length, parts: { [Symbol.asyncIterator]: parts } };
}

async function contentOf(state: StateFolder, name: string): Promise<Buffer> {
  const { bytes, parts } = await state.load(name);
  const content = Buffer.concat(await Array.fromAsync(parts));
  assert.equal(content.length, bytes);
  return content;
}
