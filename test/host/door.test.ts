import assert from "node:assert/strict";
import { test } from "node:test";
import { BelljarError, isBelljarError } from "../../src/base/errors.ts";
import { decodeFrame, DOOR, doorImport, encodeFrame } from "../../src/host/door.ts";

const CAPS = { maxHeader: 1_000, maxPayload: 100 };
const isFault = (error: unknown): boolean => isBelljarError(error, "GUEST_FAULT");

test("a frame gives back its header and payload", () => {
  const payload = Buffer.from("\n{}\n\u0000 raw");
  const frame = decodeFrame(encodeFrame({ op: "picture", name: "ä\n🐍" }, payload), CAPS);
  assert.deepEqual(frame.header, { op: "picture", name: "ä\n🐍" });
  assert.deepEqual(Buffer.from(frame.payload), payload);
  assert.equal(decodeFrame(encodeFrame({}), CAPS).payload.length, 0);
});

test("header and payload may be as large as their caps, one byte more is refused", () => {
  const header = (size: number): Uint8Array => Buffer.from(`{"a":"${"x".repeat(size - 8)}"}\n`);
  assert.ok(decodeFrame(header(1_000), CAPS));
  assert.throws(() => decodeFrame(header(1_001), CAPS), isFault);
  assert.ok(decodeFrame(encodeFrame({}, new Uint8Array(100)), CAPS));
  assert.throws(() => decodeFrame(encodeFrame({}, new Uint8Array(101)), CAPS), isFault);
});

test("a header may nest 200 deep, deeper is refused before it is parsed", () => {
  const nested = (depth: number): Uint8Array => Buffer.from(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}\n`);
  assert.ok(decodeFrame(nested(200), CAPS));
  assert.throws(() => decodeFrame(nested(201), CAPS), isFault);
  assert.ok(decodeFrame(Buffer.from(`{"a":"${"[".repeat(300)}\\"${"[".repeat(300)}"}\n`), CAPS));
});

test("what is no message is refused, never another error", () => {
  const wrong = ["", "\n", "{}", "[]\n", "null\n", "1\n", '"x"\n', "{\n", '{"a":}\n', "{}x\n", Buffer.from([0x7b, 0xff, 0x7d, 10])];
  for (const message of wrong) assert.throws(() => decodeFrame(Buffer.from(message), CAPS), isFault, String(message));
});

test("no lone surrogate comes in by an escape, neither in values nor in keys", () => {
  const { header } = decodeFrame(Buffer.from('{"a":["\\ud83d","\\ud83d\\udc0d"],"\\uDC00":{"b":"\\udfff"}}\n'), CAPS);
  assert.deepEqual(header, { a: ["\ufffd", "🐍"], "\ufffd": { b: "\ufffd" } });
});

test("a key named __proto__ stays a key", () => {
  const { header } = decodeFrame(Buffer.from('{"__proto__":{"polluted":"\\ud800"}}\n'), CAPS);
  assert.deepEqual(Object.keys(header), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(header), Object.prototype);
});

/** A door on a memory of one page, whose allocator gives the same place each time. */
function door(handler: (message: Uint8Array) => Uint8Array, room = 1_024) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 3 });
  const call = doorImport(memory, () => room, handler);
  return { memory, call, view: () => new DataView(memory.buffer) };
}

test("the door hands over a copy and puts the answer where the guest allocates", () => {
  let seen: Uint8Array = new Uint8Array(0);
  const { memory, call, view } = door((message) => {
    seen = message;
    return Buffer.from("answer");
  });
  new Uint8Array(memory.buffer).set(Buffer.from("question"), 100);
  assert.equal(call(100, 8, 0, 4), DOOR.ok);
  new Uint8Array(memory.buffer).fill(0, 100, 108);
  assert.equal(Buffer.from(seen).toString(), "question");
  assert.equal(view().getUint32(0, true), 1_024);
  assert.equal(view().getUint32(4, true), 6);
  assert.equal(Buffer.from(memory.buffer, 1_024, 6).toString(), "answer");
});

test("a message up to the end of memory passes, beyond it or over 64 MiB is a fault that nobody handles", () => {
  let calls = 0;
  const { call } = door(() => {
    calls += 1;
    return new Uint8Array(0);
  });
  assert.equal(call(65_528, 8, 0, 4), DOOR.ok);
  assert.equal(call(65_529, 8, 0, 4), DOOR.fault);
  assert.equal(call(-1, 8, 0, 4), DOOR.fault);
  assert.equal(call(0, -1, 0, 4), DOOR.fault);
  assert.equal(call(0, 64 * 1_048_576 + 1, 0, 4), DOOR.fault);
  assert.equal(call(0, 8, 65_533, 4), DOOR.fault);
  assert.equal(call(0, 8, 0, -4), DOOR.fault);
  assert.equal(calls, 1);
});

test("a lying allocator is a fault", () => {
  for (const room of [0, -1, 65_535, 2 ** 31, Number.NaN]) assert.equal(door(() => Buffer.from("ab"), room).call(0, 1, 0, 4), DOOR.fault);
});

test("memory that grows while allocating is where the answer goes", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const grow = (): number => memory.grow(1) * 65_536;
  assert.equal(doorImport(memory, grow, () => Buffer.from("late"))(0, 1, 0, 4), DOOR.ok);
  assert.equal(Buffer.from(memory.buffer, 65_536, 4).toString(), "late");
});

test("a message that cannot be read is a fault to the guest; what else the handler throws unwinds it", () => {
  const failing = (error: Error) => door(() => {
    throw error;
  });
  assert.equal(failing(new BelljarError("GUEST_FAULT", "bad")).call(0, 1, 0, 4), DOOR.fault);
  const halt = new BelljarError("HALTED", "stopped");
  assert.throws(() => failing(halt).call(0, 1, 0, 4), halt);
});
