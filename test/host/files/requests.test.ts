import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { createBaseLayer } from "../../../src/host/files/base-layer.ts";
import { fileRequest } from "../../../src/host/files/requests.ts";
import { createFileTree } from "../../../src/host/files/tree.ts";

const NOTHING = new Uint8Array(0);
const openTree = (): Parameters<typeof fileRequest>[0] => createFileTree({ base: createBaseLayer([]), fileBytes: 10_000, now: () => 0n });

test("what is no request is a fault, never anything else", () => {
  const tree = openTree();
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  for (const request of ["", "{", "null", "[]", deep, '{"op":"format"}', '{"op":"read"}', '{"op":"read","path":1,"as":"text"}', '{"op":"truncate","path":"/work/a","size":-1}', '{"op":"truncate","path":"/work/a","size":1e999}', `{"op":"list","path":"${"a".repeat(5_000)}"}`]) {
    assert.throws(() => fileRequest(tree, request, NOTHING), (error) => isBelljarError(error, "GUEST_FAULT"), request.slice(0, 40));
  }
});

test("writes and reads bytes and text", () => {
  const tree = openTree();
  const write = { op: "write", path: "/work/a", append: false, exclusive: false };
  fileRequest(tree, JSON.stringify(write), Uint8Array.of(0xff, 65));
  fileRequest(tree, JSON.stringify({ ...write, append: true, text: "é" }), NOTHING);
  assert.deepEqual([...fileRequest(tree, '{"op":"read","path":"/work/a","as":"bytes"}', NOTHING).content], [0xff, 65, 0xc3, 0xa9]);
  assert.equal(fileRequest(tree, '{"op":"read","path":"/work/a","as":"text"}', NOTHING).answer, "=\ufffdAé");
});

test("a file that is larger than the guest can take is not read", () => {
  const tree = openTree();
  fileRequest(tree, '{"op":"write","path":"/work/a","text":"0123456789","append":false,"exclusive":false}', NOTHING);
  for (const as of ["bytes", "text"]) {
    const ask = (mostBytes: number) => fileRequest(tree, JSON.stringify({ op: "read", path: "/work/a", as }), NOTHING, { mostBytes });
    assert.equal(ask(9).answer, '{"error":"ENOMEM"}');
    assert.ok(!ask(10).answer.includes("error"));
  }
});

test("refusals are told by Node's codes", () => {
  const tree = openTree();
  const ask = (request: object): string => fileRequest(tree, JSON.stringify(request), NOTHING).answer;
  assert.equal(ask({ op: "read", path: "/none", as: "text" }), '{"error":"ENOENT"}');
  assert.equal(ask({ op: "read", path: "a\0b", as: "text" }), '{"error":"EINVAL"}');
  assert.equal(ask({ op: "mkdir", path: "/none" }), '{"error":"EROFS"}');
  assert.equal(ask({ op: "truncate", path: "/work", size: 1 }), '{"error":"EISDIR"}');
  ask({ op: "write", path: "/work/f", text: "", append: false, exclusive: true });
  assert.equal(ask({ op: "truncate", path: "/work/f", size: 2 ** 40 }), '{"error":"ENOSPC"}');
  assert.equal(ask({ op: "write", path: "/work/f", text: "", append: false, exclusive: true }), '{"error":"EEXIST"}');
});
