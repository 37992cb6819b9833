import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect, connectModern, startRaw } from "./driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

const refused = async (tool: string, args: Record<string, unknown>, words: RegExp): Promise<void> => {
  const answer = await server.call(tool, args);
  assert.equal(answer.isError, true);
  assert.match(answer.text, words);
  assert.equal((await server.run("javascript", "6 * 7")).result, 42);
};

test("the tools are listed sorted", async () => {
  assert.deepEqual(await server.tools(), [
    "close_sandbox",
    "execute_javascript",
    "execute_python",
    "fork_sandbox",
    "kill_execution",
    "list_executions",
    "list_sandboxes",
  ]);
});

test("an unknown tool is told", async () => {
  await assert.rejects(server.call("run_python", { code: "1" }), /There is no tool named "run_python"\. Known tools: /);
});

test("missing, wrong-typed and unknown arguments are told", async () => {
  await refused("execute_python", {}, /^code is missing: /);
  await refused("execute_python", { code: 5 }, /^code must be a string, and was the number 5\.$/);
  await refused("execute_python", { code: "1", timeout: 5 }, /^Unknown argument "timeout"\. Known arguments: code, sandbox, timeout_ms, memory_mb, fuel, files\.$/);
  await refused("execute_python", { code: "1", timeout_ms: 30_001 }, /^timeout_ms must be at most 30,000 ms on this server, and was 30,001\.$/);
});

test("empty code is told", () => refused("execute_python", { code: "" }, /^code is empty\. Pass the Python to run\.$/));

test("code of 50 MB is told with its number", () =>
  refused("execute_python", { code: "#".repeat(50_000_000) }, /^code is 50,000,000 bytes, and at most 1,048,576 are taken\./));

test("code of lone surrogates is told", () =>
  refused("execute_javascript", { code: "'\ud83d\ud83d'" }, /^code holds a lone surrogate \(U\+D83D\) at line 1, column 2,/));

test("the client of version 2 is told too", async () => {
  await using modern = await connectModern();
  const answer = await modern.call("execute_python", { code: "" });
  assert.deepEqual([answer.isError, answer.text], [true, "code is empty. Pass the Python to run."]);
});

test("what is not JSON is told, and the server goes on", async () => {
  await using raw = startRaw();
  raw.child.stdin.write("this is not JSON\n{\"jsonrpc\": \"2.0\", \"id\": 1\n");
  assert.equal(Object(await raw.response(null)).error.code, -32700);
  raw.send({ id: 2, method: "tools/call", params: { name: "execute_javascript", arguments: { code: "6 * 7" } } });
  assert.equal(Object(await raw.response(2)).result.structuredContent.result, 42);
});
