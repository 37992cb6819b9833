import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sandboxes } from "../../src/sandbox/sandboxes.ts";
import { fakeSandboxes } from "./fake-sandboxes.ts";
import { openSession, textOf } from "./session.ts";

const MODERN = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("the tool list is sorted, strict and the same as in the snapshot", async (t) => {
  const session = await openSession();
  const { result } = await session.request("tools/list");
  t.assert.snapshot(result);
  await session.close();
});

test("the handshake and the tool list are answered while sandboxes still open", async () => {
  const { promise, resolve } = Promise.withResolvers<Sandboxes>();
  const session = await openSession({ sandboxes: promise });
  assert.ok((await session.request("tools/list")).result);
  const call = session.call("execute_python", { code: "1" });
  const early = await Promise.race([call.then(() => "answered"), session.request("ping").then(() => "waiting")]);
  assert.equal(early, "waiting");
  resolve(fakeSandboxes({ outcome: { result: 1, repr: "1" } }));
  assert.equal(textOf(await call), "1");
  await session.close();
});

test("instructions have at most ten lines", async () => {
  const session = await openSession({ handshake: false });
  const { result } = await session.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  assert.ok(String(result?.["instructions"]).split("\n").length <= 10);
  assert.deepEqual(result?.["serverInfo"], { name: "belljar", title: "Belljar", version: "1.2.3" });
  await session.close();
});

test("the newest revision is served without initialize", async () => {
  const sandboxes = fakeSandboxes({ outcome: { result: 3, repr: "3" } });
  const session = await openSession({ handshake: false, sandboxes });
  const discovered = await session.request("server/discover", { _meta: envelope });
  assert.deepEqual(discovered.result?.["supportedVersions"], [MODERN]);
  const answer = await session.request("tools/call", {
    name: "execute_javascript",
    arguments: { code: "1 + 2" },
    _meta: envelope,
  });
  assert.equal(answer.result?.["resultType"], "complete");
  assert.equal(sandboxes.requests.length, 1);
  await session.close();
});

test("a client that drops content beside structured content gets text alone, in both eras", async () => {
  const sandboxes = fakeSandboxes({ outcome: { result: 3, repr: "3" } });
  const legacy = await openSession({ sandboxes, clientName: "claude-code" });
  const old = await legacy.call("execute_python", { code: "1 + 2" });
  assert.deepEqual(old, { content: [{ type: "text", text: "3" }] });
  const listed = await legacy.request("tools/list");
  assert.ok(!JSON.stringify(listed.result).includes("outputSchema"));
  await legacy.close();

  const modern = await openSession({ sandboxes, handshake: false });
  const call = { name: "execute_python", arguments: { code: "1 + 2" }, _meta: envelope };
  const { result } = await modern.request("tools/call", call);
  assert.equal(result?.["structuredContent"], undefined);
  await modern.close();
});

test("the answer flag has the last word over the client's name", async () => {
  const sandboxes = fakeSandboxes({ outcome: { result: 3, repr: "3" } });
  const session = await openSession({ sandboxes, clientName: "claude-code", settings: { answer: "structured" } });
  const answer = await session.call("execute_python", { code: "1 + 2" });
  assert.deepEqual(answer.content, []);
  assert.equal(answer.structuredContent?.["result"], 3);
  await session.close();
});

test("an unknown tool is refused with the known ones named", async () => {
  const session = await openSession();
  const { error } = await session.request("tools/call", { name: "python", arguments: {} });
  assert.deepEqual(error, {
    code: -32602,
    message:
      'There is no tool named "python". Known tools: close_sandbox, execute_javascript, execute_python, fork_sandbox, kill_execution, list_executions, list_sandboxes.',
  });
  await session.close();
});

test("a full queue and a fault of the server are told as answers", async () => {
  const full = await openSession({ sandboxes: fakeSandboxes({ full: true }) });
  const refused = await full.call("execute_python", { code: "1" });
  assert.equal(refused.isError, true);
  assert.equal(
    textOf(refused),
    "256 calls already wait for a sandbox, which is the most this server keeps (--queue). Try again when some have ended.",
  );
  await full.close();

  const broken = await openSession({ sandboxes: fakeSandboxes({ fault: "no such pool" }) });
  const fault = await broken.call("execute_python", { code: "1" });
  assert.equal(fault.isError, true);
  assert.equal(
    textOf(fault),
    "Belljar itself failed: no such pool. This is a fault worth reporting, with the code that was run.",
  );
  await broken.close();
});

test("a limit that stopped the run is told how far it can be raised, unless it is at its most", async () => {
  const sandboxes = fakeSandboxes({ outcome: { status: "timeout", error: { type: "TimeoutError", message: "Stopped." } } });
  const session = await openSession({ sandboxes });
  const low = await session.call("execute_python", { code: "1", timeout_ms: 5_000 });
  assert.equal(
    textOf(low),
    "error: TimeoutError: Stopped.\nnote: timeout_ms can be raised to at most 30,000 on this server.",
  );
  assert.equal(low.isError, true);
  const most = await session.call("execute_python", { code: "1" });
  assert.equal(textOf(most), "error: TimeoutError: Stopped.");
  await session.close();
});
