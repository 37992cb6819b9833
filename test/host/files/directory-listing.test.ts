import assert from "node:assert/strict";
import { test } from "node:test";
import { listFrom } from "../../../src/host/files/directory-listing.ts";
import type { Mount } from "../../../src/host/files/mount.ts";
import { inode, type MountedFolder } from "../../../src/host/files/node.ts";

const unused = (): never => assert.fail("only listed");

/** A folder of so many names; `reads` counts how often they are read. */
function folderOf(count: number) {
  const seen = { reads: 0 };
  const mount: Mount = {
    guest: "/mnt/data", writable: false, look: unused, refresh: unused, makeFile: unused, makeFolder: unused, removeFile: unused, removeFolder: unused,
    rename: unused, open: unused, close: unused, read: unused, write: unused, resize: unused, sync: unused, setTimes: unused,
    list() {
      seen.reads += 1;
      return Array.from({ length: count }, (_, at) => ({ name: String(at), kind: "mountedFile" as const }));
    },
  };
  const folder: MountedFolder = { ...inode(9, true, 0n), kind: "mountedFolder", mount, names: [] };
  const at = (cookie: number) => listFrom(folder, cookie, 1).next().value?.name;
  return { seen, at };
}

test("a listing that goes on is the one that it began with", () => {
  const { seen, at } = folderOf(100);
  assert.deepEqual([at(0), at(1), at(2), at(50), at(101), at(102)], [".", "..", "0", "48", "99", undefined]);
  assert.equal(seen.reads, 1);
});

test("of many listings at once the oldest are let go, and read anew when they go on", () => {
  const folders = Array.from({ length: 10 }, () => folderOf(100_000));
  for (const { at } of folders) assert.equal(at(1), "..");
  assert.deepEqual(folders.map(({ at }) => at(2)).filter((name) => name !== "0"), []);
  assert.ok((folders[0]?.seen.reads ?? 0) > 1);
  const last = folderOf(100_000);
  for (let cookie = 1; cookie < 1_000; cookie += 1) last.at(cookie);
  assert.equal(last.seen.reads, 1);
});
