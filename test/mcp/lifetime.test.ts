import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PassThrough } from "node:stream";
import { endOfLife, type LifetimeParts } from "../../src/mcp/lifetime.ts";

interface World extends LifetimeParts {
  readonly input: PassThrough;
  readonly output: PassThrough;
}

function world(parts: Partial<LifetimeParts> = {}): World {
  return { unanswered: () => 0, parent: () => 1, ...parts, input: new PassThrough(), output: new PassThrough() };
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

test("calls that are under way at the end of input get a while to be answered", async () => {
  let left = 1;
  const parts = world({ unanswered: () => left });
  const life = endOfLife(parts);
  parts.input.resume().end();
  assert.equal(await Promise.race([life, sleep(200, "waits")]), "waits");
  left = 0;
  assert.equal(await life, "the input ended");

  const stuck = world({ unanswered: () => 1 });
  const started = performance.now();
  const end = endOfLife(stuck);
  stuck.input.resume().end();
  await end;
  assert.ok(performance.now() - started < 1_900);
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
