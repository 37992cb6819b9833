import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openStateFolder } from "../../src/host/state/state-folder.ts";
import { fromEngineSchema } from "../../src/sandbox/engine-messages.ts";
import { answerState } from "../../src/sandbox/state.ts";

const stored = { language: "python", turns: 1, reseed: false, memoryBytes: 1 } as const;
const payload = Uint8Array.of(1);

test("a name that could lead out of the folder is refused on arrival", () => {
  for (const name of ["../x", "a/b", "a\\b", "..", "", "\0", "a".repeat(65), "C:x"]) {
    for (const request of [
      { act: "save", owner: "local", stored: { ...stored, name }, payload },
      { act: "load", owner: "local", name },
      { act: "remove", owner: "local", name },
    ]) {
      assert.equal(fromEngineSchema.safeParse({ kind: "state", id: "1", request }).success, false, `${request.act} ${name}`);
    }
  }
  const request = { act: "remove", owner: "local", name: "fine" };
  assert.equal(fromEngineSchema.safeParse({ kind: "state", id: "1", request }).success, true);
});

test("an owner reaches its own folder alone, and no more files than may be", async () => {
  const root = mkdtempSync(join(tmpdir(), "belljar-state-"));
  try {
    using folder = openStateFolder(join(root, "local"), { belljar: "1", guests: { python: "a", javascript: "b" } }, 1);
    const folders = new Map([["local", folder]]);
    const save = (owner: string, name: string) => answerState(folders, { act: "save", owner, stored: { ...stored, name }, payload });
    assert.equal((await save("local", "a")).act, "saved");
    assert.equal((await save("local", "a")).act, "saved");
    assert.equal((await save("local", "b")).act, "failed");
    assert.equal((await save("../other", "a")).act, "failed");
    assert.deepEqual([readdirSync(root), readdirSync(join(root, "local")).sort()], [["local"], ["=a.belljar", "lock"]]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
