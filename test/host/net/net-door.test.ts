import assert from "node:assert/strict";
import { test } from "node:test";
import { type FromNet, PIECE, type ToNet, WINDOW } from "../../../src/host/net/messages.ts";
import { createNetDoor, type NetLine } from "../../../src/host/net/net-door.ts";

const netLimits = { bytes: 1_000_000, headerBytes: 1_000, timeoutMs: 1_000, requests: 10, parallel: 2 };
const GRANTS = { net: [{ host: "example.com" }], netLimits };
const REQUEST = { method: "GET", url: "http://example.com/", headers: [], body: "none", unpack: false };
const NONE = new Uint8Array(0);

/** A line whose other end is the test; `onWait` is what happens while the thread would block. */
function lineTo(onWait: (come: (message: FromNet) => void, ms: number) => void = () => assert.fail("it waited")) {
  const sent: ToNet[] = [];
  const came: FromNet[] = [];
  let due = false;
  const line: NetLine = {
    send: (message) => void sent.push(message),
    take: () => came.shift(),
    wait: (ms) => onWait((message) => came.push(message), ms),
    isDue: () => due,
  };
  return { line, sent, came, end: () => (due = true) };
}

function started(door: ReturnType<typeof createNetDoor>, body: "none" | "stream" = "none"): number {
  return Number(door.ask({ op: "start", request: { ...REQUEST, body } }, NONE).answer["id"]);
}

test("without a line, and without a grant, a request is refused where the code is", () => {
  const refusal = { error: { code: "refused", message: "No network here: example.com was not allowed. The user can start Belljar with --allow-net=example.com" } };
  const door = createNetDoor(undefined, { net: [], netLimits });
  assert.deepEqual(door.ask({ op: "start", request: REQUEST }, NONE).answer, refusal);
  assert.deepEqual(door.ask({ op: "check", url: "https://example.com/" }, NONE).answer, refusal);
  const { line, sent } = lineTo();
  const other = createNetDoor(line, { net: [{ host: "other.com" }], netLimits });
  assert.match(JSON.stringify(other.ask({ op: "start", request: REQUEST }, NONE).answer), /only other\.com was allowed/);
  assert.deepEqual(sent, []);
});

test("what is no question is answered as such", () => {
  const { line, sent } = lineTo();
  const door = createNetDoor(line, GRANTS);
  const asked = [undefined, null, 1, "start", [], {}, { op: "none" }, { op: "start" }, { op: "start", request: { ...REQUEST, headers: [["a"]] } }, { op: "start", request: { ...REQUEST, url: 1 } }, { op: "next", ids: [0.5] }, { op: "next", ids: [1], ms: -1 }, { op: "send", id: "1", last: true }];
  for (const one of asked) assert.match(JSON.stringify(door.ask(one, NONE).answer), /^\{"error":\{"code":"invalid"/, JSON.stringify(one));
  assert.match(JSON.stringify(door.askText("{", NONE).answer), /"invalid"/);
  assert.match(JSON.stringify(door.ask({ op: "next", ids: [7] }, NONE).answer), /"failed","code":"invalid"/);
  assert.match(JSON.stringify(door.ask({ op: "send", id: 7, last: true }, NONE).answer), /"invalid"/);
  assert.deepEqual(door.ask({ op: "close", id: 7 }, NONE).answer, {});
  assert.deepEqual(sent, []);
});

test("what comes first of any request is told, and data that was taken is acknowledged", () => {
  const { line, sent, came } = lineTo();
  const door = createNetDoor(line, GRANTS);
  const [one, other] = [started(door), started(door)];
  came.push({ kind: "head", id: other, status: 200, reason: "OK", headers: [["a", "b"]] }, { kind: "data", id: other, bytes: Buffer.from("xyz") }, { kind: "end", id: other });
  const ids = [one, other];
  assert.deepEqual(door.ask({ op: "next", ids }, NONE).answer, { id: other, event: "head", status: 200, reason: "OK", headers: [["a", "b"]] });
  const data = door.ask({ op: "next", ids }, NONE);
  assert.deepEqual([data.answer, Buffer.from(data.content).toString()], [{ id: other, event: "data" }, "xyz"]);
  assert.deepEqual(sent.at(-1), { kind: "taken", id: other, count: 3 });
  assert.deepEqual(door.ask({ op: "next", ids }, NONE).answer, { id: other, event: "end" });
  assert.match(JSON.stringify(door.ask({ op: "next", ids }, NONE).answer), /"failed","code":"invalid","message":"This request is over\."/);
});

test("a wait ends with what comes, with its time, and with the turn", () => {
  let waits = 0;
  const arriving = lineTo((come) => {
    waits += 1;
    if (waits === 2) come({ kind: "end", id });
  });
  const door = createNetDoor(arriving.line, GRANTS);
  const id = started(door);
  assert.deepEqual(door.ask({ op: "next", ids: [id] }, NONE).answer, { id, event: "end" });

  const silent = lineTo((_come, ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms));
  const patient = createNetDoor(silent.line, GRANTS);
  assert.deepEqual(patient.ask({ op: "next", ids: [started(patient)], ms: 20 }, NONE).answer, {});
  silent.end();
  assert.deepEqual(patient.ask({ op: "next", ids: [started(patient)] }, NONE).answer, {});
});

test("a body goes in pieces, no more of them at once than the window holds", () => {
  let waits = 0;
  const { line, sent } = lineTo((come) => {
    waits += 1;
    come({ kind: "sent", id, count: PIECE });
  });
  const door = createNetDoor(line, GRANTS);
  const id = started(door, "stream");
  const body = new Uint8Array(WINDOW + PIECE + 1);
  assert.deepEqual(door.ask({ op: "send", id, last: true }, body).answer, {});
  const pieces = sent.flatMap((message) => (message.kind === "body" ? [message] : []));
  assert.deepEqual(pieces.map(({ bytes, last }) => [bytes.length, last]), [[PIECE, false], [PIECE, false], [PIECE, false], [PIECE, false], [PIECE, false], [1, true]]);
  assert.equal(waits, 2);
});

test("the ids of one turn mean nothing in another", () => {
  const ids = Array.from({ length: 50 }, () => started(createNetDoor(lineTo().line, GRANTS)));
  assert.equal(new Set(ids).size, ids.length);
});
