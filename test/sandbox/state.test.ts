import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openStateFolder, type StateFolder } from "../../src/host/state/state-folder.ts";
import { fromEngineSchema, type StateAnswer, type StateRequest } from "../../src/sandbox/engine-messages.ts";
import { PART_BYTES } from "../../src/sandbox/part.ts";
import { createStateAnswers, type StateAnswers } from "../../src/sandbox/state.ts";

const stored = { language: "python", turns: 1, reseed: false, memoryBytes: 1 } as const;
const part = Uint8Array.of(1);

test("a name that could lead out of the folder is refused on arrival", () => {
  for (const name of ["../x", "a/b", "a\\b", "..", "", "\0", "a".repeat(65), "C:x"]) {
    for (const request of [
      { act: "save", owner: "local", stored: { ...stored, name }, bytes: 1, part },
      { act: "load", owner: "local", name },
      { act: "remove", owner: "local", name },
    ]) {
      assert.equal(fromEngineSchema.safeParse({ kind: "state", id: "1", request }).success, false, `${request.act} ${name}`);
    }
  }
  const request = { act: "remove", owner: "local", name: "fine" };
  assert.equal(fromEngineSchema.safeParse({ kind: "state", id: "1", request }).success, true);
});

test("a part that is larger than may be is refused on arrival", () => {
  for (const [bytes, fits] of [[PART_BYTES, true], [PART_BYTES + 1, false]] as const) {
    const request = { act: "part", part: new Uint8Array(bytes) };
    assert.equal(fromEngineSchema.safeParse({ kind: "state", id: "1", request }).success, fits);
  }
});

/** Answers over a folder for one sandbox. */
async function withAnswers(work: (given: { answers: StateAnswers; folder: StateFolder; root: string }) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "belljar-state-"));
  try {
    using folder = openStateFolder(join(root, "local"), { belljar: "1", guests: { python: "a", javascript: "b" } }, 1);
    await work({ answers: createStateAnswers(new Map([["local", folder]])), folder, root });
  } finally {
    rmSync(root, { recursive: true });
  }
}

function saveOf(name: string, bytes: number, first: Uint8Array, owner = "local"): StateRequest {
  return { act: "save", owner, stored: { ...stored, name }, bytes, part: Uint8Array.from(first) };
}

test("an owner reaches its own folder alone, and no more files than may be", () =>
  withAnswers(async ({ answers, root }) => {
    const save = (owner: string, name: string): Promise<StateAnswer> => answers.answer(name, saveOf(name, 1, part, owner));
    assert.equal((await save("local", "a")).act, "saved");
    assert.equal((await save("local", "a")).act, "saved");
    assert.equal((await save("local", "b")).act, "failed");
    assert.equal((await save("../other", "a")).act, "failed");
    assert.deepEqual([readdirSync(root), readdirSync(join(root, "local")).sort()], [["local"], ["=a.belljar", "lock"]]);
  }));

test("states that come in parts at once come back whole, each its own", () =>
  withAnswers(async ({ answers }) => {
    const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
    for (let round = 0; round < 2; round += 1) {
      let last: StateAnswer = await answers.answer("1", saveOf("a", 100, bytes.subarray(0, 40)));
      assert.equal((await answers.answer("2", saveOf("b", 100, bytes.subarray(0, 40)))).act, "failed", "one is on its way");
      assert.equal(last.act, "next");
      for (const at of [40, 80]) last = await answers.answer("1", { act: "part", part: bytes.slice(at, at + 40) });
      assert.equal(last.act, "saved");
    }
    const got = await answers.answer("3", { act: "load", owner: "local", name: "a" });
    assert.ok(got.act === "part");
    assert.deepEqual([got.bytes, Uint8Array.from(got.part)], [100, bytes]);
    assert.equal((await answers.answer("3", { act: "next" })).act, "failed");
  }));

test("a state that is more than was said, or whose engine is gone, leaves nothing", () =>
  withAnswers(async ({ answers, folder, root }) => {
    assert.equal((await answers.answer("1", saveOf("a", 3, part))).act, "next");
    assert.deepEqual((await answers.answer("1", { act: "part", part: Uint8Array.of(1, 2, 3) })).act, "failed");
    assert.equal((await answers.answer("1", { act: "part", part: Uint8Array.from(part) })).act, "failed");
    assert.equal((await answers.answer("2", saveOf("a", 3, part))).act, "next");
    answers.forget();
    assert.equal((await answers.answer("2", { act: "part", part: Uint8Array.from(part) })).act, "failed");
    assert.equal((await answers.answer("3", saveOf("a", 1, part))).act, "saved");
    assert.equal(folder.list()[0]?.turns, 1);
    assert.deepEqual(readdirSync(join(root, "local")).sort(), ["=a.belljar", "lock"]);
  }));
