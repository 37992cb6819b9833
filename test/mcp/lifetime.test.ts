import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PassThrough } from "node:stream";
import { endOfLife, type LifetimeParts } from "../../src/mcp/lifetime.ts";

interface World extends LifetimeParts {
  readonly input: PassThrough;
  readonly output: PassThrough;
}

const NONE = { all: 0, calls: 0 };
const CALL = { all: 1, calls: 1 };

function world(parts: Partial<LifetimeParts> = {}): World {
  return { unanswered: () => NONE, parent: () => 1, ...parts, input: new PassThrough(), output: new PassThrough() };
}

test("life goes on while input and parent are there", async () => {
  const parts = world();
  const life = endOfLife(parts);
  assert.equal(await Promise.race([life, sleep(1_200, "goes on")]), "goes on");
  parts.input.destroy();
  await life;
});

test("the end of input ends life", async () => {
  const parts = world();
  const life = endOfLife(parts);
  parts.input.resume().end();
  assert.equal(await life, "the input ended");
});

test("input that is closed before the start ends life", async () => {
  const parts = world();
  parts.input.destroy();
  assert.equal(await endOfLife(parts), "the input ended");
});

test("calls that are under way at the end of input are answered, however long they take", async () => {
  let left = CALL;
  const parts = world({ unanswered: () => left });
  let written = "";
  parts.output.on("data", (bytes) => (written += String(bytes)));
  const life = endOfLife(parts);
  parts.input.resume().end();
  assert.equal(await Promise.race([life, sleep(1_900, "waits")]), "waits");
  left = NONE;
  assert.equal(await life, "the input ended");
  assert.match(written, /^ {2,4}$/, "white space tells whether anybody reads");
});

test("other requests that are open at the end of input get a while", async () => {
  const stuck = world({ unanswered: () => ({ all: 1, calls: 0 }) });
  const end = endOfLife(stuck);
  stuck.input.resume().end();
  assert.equal(await Promise.race([end, sleep(500, "waits")]), "waits");
  const started = performance.now();
  assert.equal(await end, "the input ended");
  assert.ok(performance.now() - started < 1_400);
});

for (const [title, reason, change] of [
  ["output that breaks", "the output is closed", ({ output }: World): unknown => output.destroy(new Error("EPIPE"))],
  ["a signal", "SIGTERM", (): unknown => process.emit("SIGTERM")],
] as const) {
  test(`calls that are under way at the end of input end at once with ${title}`, async () => {
    const parts = world({ unanswered: () => CALL });
    const life = endOfLife(parts);
    parts.input.resume().end();
    assert.equal(await Promise.race([life, sleep(100, "waits")]), "waits");
    change(parts);
    assert.equal(await Promise.race([life, sleep(100, "waits")]), reason);
  });
}

test("calls that are under way at the end of input end with the parent", async () => {
  let parent = 100;
  const parts = world({ unanswered: () => CALL, parent: () => parent });
  const life = endOfLife(parts);
  parts.input.resume().end();
  assert.equal(await Promise.race([life, sleep(100, "waits")]), "waits");
  parent = 1;
  assert.equal(await Promise.race([life, sleep(100, "waits")]), "the input ended");
});

test("output that breaks ends life", async () => {
  const parts = world();
  const life = endOfLife(parts);
  parts.output.destroy(new Error("EPIPE"));
  assert.equal(await life, "the output is closed");
});

test("a parent that is gone ends life, though the pipes stay open", async () => {
  let parent = 100;
  const life = endOfLife(world({ parent: () => parent }));
  parent = 1;
  assert.equal(await life, "the parent is gone");
});
