import assert from "node:assert/strict";
import { test } from "node:test";
import type { FromNet, ToNet } from "../../src/host/net/messages.ts";
import { createNetDoor } from "../../src/host/net/net-door.ts";

const URL = "http://example.com/";
const LIMITS = { bytes: 1_000_000, headerBytes: 1_024, timeoutMs: 1_000, requests: 5, parallel: 2 };
const request = { method: "POST", url: URL, headers: [], unpack: false };

/** A door whose server takes what `answer` says of each message. */
function doorTo(answer: (message: ToNet) => readonly FromNet[] = () => []) {
  const said: ToNet[] = [];
  const came: FromNet[] = [];
  const send = (message: ToNet): void => {
    said.push(message);
    came.push(...answer(message));
  };
  const door = createNetDoor({ send, take: () => came.shift(), wait: () => {}, isDue: () => false }, { net: [{ host: "example.com" }], netLimits: LIMITS });
  const ask = (asked: object, content: Uint8Array = new Uint8Array(0)) => door.ask(asked, content).answer;
  const start = (body: "none" | "whole" | "stream", content?: Uint8Array, more: object = {}) => ask({ op: "start", request: { ...request, body, ...more } }, content);
  return { said, ask, start, door };
}

const codeOf = (answer: Readonly<Record<string, unknown>>): unknown => (typeof answer["error"] === "object" && answer["error"] !== null && "code" in answer["error"] ? answer["error"].code : undefined);

test("requests beyond the limit don't go on their way, whatever becomes of those before", () => {
  const { said, start, ask } = doorTo();
  for (let times = 0; times < 5; times += 1) ask({ op: "close", id: start("none")["id"] });
  for (let times = 0; times < 100; times += 1) assert.equal(codeOf(start("none")), "limit");
  assert.equal(said.filter(({ kind }) => kind === "start").length, 5);
});

test("bodies beyond the limit of bytes don't go on their way", () => {
  const { said, start } = doorTo();
  const half = new Uint8Array(500_000);
  assert.equal(codeOf(start("whole", half)), undefined);
  assert.equal(codeOf(start("whole", half)), undefined);
  assert.equal(codeOf(start("whole", new Uint8Array(1))), "limit");
  assert.equal(said.length, 2);
});

test("headers beyond their limit don't go on their way", () => {
  const { said, start } = doorTo();
  assert.equal(codeOf(start("none", undefined, { headers: [["x", "y".repeat(900)]] })), undefined);
  assert.equal(codeOf(start("none", undefined, { headers: Array.from({ length: 1_000 }, () => ["x", "y"]) })), "limit");
  assert.equal(said.length, 1);
});

test("a streamed body counts piece by piece", () => {
  const { said, start, ask } = doorTo((message) => (message.kind === "body" ? [{ kind: "sent", id: message.id, count: message.bytes.length }] : []));
  const { id } = start("stream");
  assert.deepEqual(ask({ op: "send", id, last: false }, new Uint8Array(1_000_000)), {});
  assert.equal(codeOf(ask({ op: "send", id, last: false }, new Uint8Array(1))), "limit");
  const { event, code } = ask({ op: "next", ids: [id] });
  assert.deepEqual([event, code, said.at(-1)], ["failed", "limit", { kind: "close", id }]);
});

test("crumbs of a body wait until others have gone, nothing is no crumb, and after the last comes none", () => {
  const { said, start, ask } = doorTo();
  const { id } = start("stream");
  for (let times = 0; times < 1_000; times += 1) assert.deepEqual(ask({ op: "send", id, last: false, ms: 0 }), {});
  assert.equal(said.length, 1);
  const answers = Array.from({ length: 1_000 }, () => ask({ op: "send", id, last: false, ms: 0 }, new Uint8Array(1)));
  assert.equal(answers.filter((answer) => answer["full"] === true).length, 744);
  assert.equal(said.length, 257);
  const other = start("stream")["id"];
  assert.deepEqual(ask({ op: "send", id: other, last: true }), {});
  assert.equal(codeOf(ask({ op: "send", id: other, last: true })), "invalid");
});

test("what is no question, or a larger text than any, is answered with an error", () => {
  const { door, said } = doorTo();
  const texts = ["", "[", "null", "[]", '{"op":"next"}', '{"op":"next","ids":[-0.5]}', '{"op":"send","id":1e400,"last":true}', '{"op":"next","ids":[1],"ms":-1}', `{"op":"next","ids":[${"1,".repeat(3_000_000)}1]}`];
  for (const text of texts) assert.equal(codeOf(door.askText(text, new Uint8Array(0)).answer), "invalid", text.slice(0, 50));
  assert.deepEqual(door.ask({ op: "next", ids: [7], ms: 0 }, new Uint8Array(0)).answer["event"], "failed");
  assert.equal(said.length, 0);
});
