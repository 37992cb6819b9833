import assert from "node:assert/strict";
import { test } from "node:test";
import { repl } from "../../src/cli/repl.ts";
import { fakeSandboxes, type Script } from "../mcp/fake-sandboxes.ts";

async function session(args: readonly string[], text: string, script: Script = {}) {
  async function* read(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const out: string[] = [];
  const err: string[] = [];
  const sandboxes = fakeSandboxes(script);
  const sink = (to: string[]) => ({ write: (given: unknown) => to.push(String(given)) > 0 });
  const given = { args, env: {}, stdin: read(), stdout: sink(out), stderr: sink(err) };
  const code = await repl(given, () => Promise.resolve(sandboxes));
  assert.ok(sandboxes.disposed());
  return { code, out: out.join(""), err: err.join(""), requests: sandboxes.requests };
}

test("each line runs in the one sandbox, and what is not complete waits for more", async () => {
  const { code, out, requests } = await session(["python"], "x = 1\nf(1,\n2)\nif x:\n  y\n\n:use other\nx", { outcome: { repr: "7" } });
  assert.equal(code, 0);
  assert.deepEqual(requests.map(({ code: ran, sandbox }) => [ran, sandbox]), [
    ["x = 1", "repl-python"],
    ["f(1,\n2)", "repl-python"],
    ["if x:\n  y\n", "repl-python"],
    ["x", "other"],
  ]);
  assert.equal(out, "7\n7\n7\nThe sandbox is now other.\n7\n");
});

test("commands that can't be done say why, and the session goes on", async () => {
  const { out, err, requests } = await session(["js"], ":fork\n:fork b\n:use ../x\n:what\n:list\n1\n:quit\n2\n");
  assert.match(out, /^:fork needs the name of a sandbox\.\nThe name must be 1 to 64 letters.*\nThere is no command ":what"\..*\nNo named sandbox is kept\.\n$/);
  assert.match(err, /^There is no sandbox named "repl-javascript"\./);
  assert.deepEqual(requests.map(({ code }) => code), ["1"]);
});

test("what was typed before the end of the input still runs", async () => {
  assert.deepEqual((await session([], "f(")).requests.map(({ code }) => code), ["f("]);
});

test(":limits tells each limit as it is set", async () => {
  const { out } = await session(["--timeout-ms=1234", "--queue=7"], ":limits\n:help\n");
  assert.match(out, /^--timeout-ms=1234: wall-clock deadline of one run$/m);
  assert.match(out, /^--queue=7: /m);
  assert.match(out, /^:fork NAME/m);
});

test("an interrupt stops the run and the session goes on", async () => {
  const before = process.listenerCount("SIGINT");
  const going = session([], "loop\n", { hang: true });
  while (process.listenerCount("SIGINT") === before) await new Promise(setImmediate);
  const beat = setInterval(() => process.emit("SIGINT"), 5);
  const { code, err } = await going;
  clearInterval(beat);
  assert.equal(code, 0);
  assert.match(err, /Stopped by Ctrl-C/);
  assert.equal(process.listenerCount("SIGINT"), before);
});

test("a stored session needs its folder, and a language one of ours", async () => {
  await assert.rejects(session(["--sandbox=a"], ""), { code: "BAD_ARGUMENT", message: /needs --state-dir/ });
  await assert.rejects(session(["--sandbox=a/b", "--state-dir=x"], ""), { message: /^--sandbox must be 1 to 64 letters/ });
  await assert.rejects(session(["constructor"], ""), { message: /The language must be one of python, javascript/ });
  await assert.rejects(session(["python", "x"], ""), { message: 'Unexpected "x".' });
});
