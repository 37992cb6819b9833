import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { readFile, writeFile } from "../../../src/host/files/access.ts";
import { createBaseLayer } from "../../../src/host/files/base-layer.ts";
import { changedSince } from "../../../src/host/files/changes.ts";
import { createDescriptors } from "../../../src/host/files/descriptors.ts";
import { restoreFiles, saveFiles } from "../../../src/host/files/saved-files.ts";
import { createFileTree } from "../../../src/host/files/tree.ts";
import { contentOf, makeFile, OUT, READ, ROOT_FD, testGuest, WRITE } from "../wasi/guest.ts";

const base = createBaseLayer([{ path: "/usr/lib.zip", bytes: Buffer.from("PK") }]);
const options = { base, fileBytes: 1_048_576, now: () => 1n };

/** A guest on files of its own. */
function guestOn(files: ReturnType<typeof createDescriptors>): ReturnType<typeof testGuest> {
  return testGuest({ context: { files } });
}

function busyGuest(): { files: ReturnType<typeof createDescriptors>; guest: ReturnType<typeof testGuest> } {
  const files = createDescriptors(createFileTree(options));
  const guest = guestOn(files);
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/d"));
  makeFile(guest, "work/d/f", "before");
  guest.call("path_link", ROOT_FD, 0, ...guest.path("work/d/f"), ROOT_FD, ...guest.path("work/hard"));
  guest.call("path_symlink", ...guest.path("/work/d/f"), ROOT_FD, ...guest.path("work/soft"));
  return { files, guest };
}

test("a fork sees the files as they were, and each side its own changes alone", () => {
  const { files, guest } = busyGuest();
  const fork = guestOn(restoreFiles(options, saveFiles(files)));
  for (const path of ["work/d/f", "work/hard", "work/soft"]) assert.equal(contentOf(fork, path), "before");
  makeFile(guest, "work/d/f", "original");
  makeFile(fork, "work/hard", "forked");
  makeFile(fork, "work/new", "x");
  assert.equal(contentOf(guest, "work/hard"), "original");
  assert.equal(contentOf(fork, "work/d/f"), "forked");
  assert.notEqual(guest.opens("work/new"), 0);
});

test("writing in place after a save leaves what was saved", () => {
  const { files, guest } = busyGuest();
  const fd = guest.open("work/d/f", { rights: READ | WRITE });
  const saved = saveFiles(files);
  guest.call("fd_pwrite", fd, ...guest.vector("XX"), 0n, OUT);
  guest.call("fd_filestat_set_size", fd, 3n);
  const back = guestOn(restoreFiles(options, saved));
  assert.equal(contentOf(back, "work/d/f"), "before");
  assert.equal(contentOf(guest, "work/d/f"), "XXf");
});

test("open files go on at their position, also those without a name and those of the lower layer", () => {
  const { files, guest } = busyGuest();
  const zip = guest.open("usr/lib.zip");
  const gone = guest.open("work/d/f", { rights: READ | WRITE });
  guest.call("fd_seek", gone, 3n, 0, OUT);
  for (const path of ["work/d/f", "work/hard"]) guest.call("path_unlink_file", ROOT_FD, ...guest.path(path));
  const restored = restoreFiles(options, saveFiles(files));
  const fork = guestOn(restored);
  assert.equal(fork.call("fd_read", gone, ...fork.vector(10), OUT), 0);
  assert.equal(fork.buffer(3), "ore");
  assert.equal(fork.call("fd_read", zip, ...fork.vector(10), OUT), 0);
  assert.equal(fork.buffer(2), "PK");
  const { used } = restored.tree.quota;
  fork.call("fd_close", gone);
  assert.equal(restored.tree.quota.used, used - 6);
});

test("what was saved survives being sent and stored", () => {
  const { files } = busyGuest();
  const back = restoreFiles(options, structuredClone(saveFiles(files)));
  assert.equal(Buffer.from(readFile(back.tree, "/work/soft")).toString(), "before");
  assert.deepEqual(saveFiles(back).nodes.map(({ ino }) => ino).sort(), saveFiles(files).nodes.map(({ ino }) => ino).sort());
});

test("saved files on another lower layer are refused", () => {
  const { files, guest } = busyGuest();
  guest.open("usr/lib.zip");
  const other = { ...options, base: createBaseLayer([]) };
  assert.throws(() => restoreFiles(other, saveFiles(files)), (error) => isBelljarError(error, "BAD_IMAGE"));
});

test("what a turn makes, writes to or moves is listed, and nothing else", () => {
  const { files, guest } = busyGuest();
  writeFile(files.tree, "/work/keep/a/b.txt", Buffer.from("kept"));
  const mark = files.tree.change;
  const changed = (): string[] => changedSince(files.tree, mark).map(({ path }) => path).sort();
  contentOf(guest, "work/d/f");
  assert.deepEqual(changed(), []);
  makeFile(guest, "work/d/new", "x");
  makeFile(guest, "tmp/elsewhere", "x");
  assert.deepEqual(changed(), ["/work/d/new"]);
  makeFile(guest, "work/hard", "y");
  assert.deepEqual(changed(), ["/work/d/f", "/work/d/new", "/work/hard"]);
  guest.call("path_rename", ROOT_FD, ...guest.path("work/keep"), ROOT_FD, ...guest.path("work/moved"));
  assert.deepEqual(changed(), ["/work/d/f", "/work/d/new", "/work/hard", "/work/moved/a/b.txt"]);
});

test("the host writes where the guest may, under the same limit", () => {
  const { files } = busyGuest();
  const write = (path: string, size = 1) => () => writeFile(files.tree, path, new Uint8Array(size));
  assert.throws(write("/etc/x"), { errno: 69 });
  assert.throws(write("/usr/lib.zip"), { errno: 69 });
  assert.throws(write("/work/d"), { errno: 31 });
  assert.throws(write("/work/d/f/x"), { errno: 54 });
  assert.throws(write("/work/big", 2_000_000), { errno: 51 });
  write("/work/soft", 4)();
  assert.equal(readFile(files.tree, "/work/d/f").length, 4);
});

test("a fresh tree with its descriptors costs less than 50 microseconds", () => {
  const pack = new Map(Array.from({ length: 200 }, (_, index) => [`fonts/${index}`, new Uint8Array(1)]));
  const large = createBaseLayer([{ path: "/lib.zip", bytes: new Uint8Array(1), folder: { path: "data", pack } }]);
  const costs = Array.from({ length: 500 }, () => {
    const started = performance.now();
    createDescriptors(createFileTree({ ...options, base: large }));
    return performance.now() - started;
  });
  costs.sort((a, b) => a - b);
  assert.ok((costs[250] ?? 1) < 0.05, `median ${costs[250]} ms`);
});
