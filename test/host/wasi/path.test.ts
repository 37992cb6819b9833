import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { contentOf, makeFile, OUT, READ, ROOT_FD, testGuest, WRITE } from "./guest.ts";

const CREATE = { oflags: 1, rights: READ | WRITE };

test("paths resolve with dots, doubled slashes and a leading slash", () => {
  const guest = testGuest();
  makeFile(guest, "work/a", "hello");
  for (const path of ["work/a", "/work/a", "work//a", "./work/./a", "tmp/../work/a"]) assert.equal(contentOf(guest, path), "hello");
});

test("'..' does not leave the root", () => {
  const guest = testGuest();
  makeFile(guest, "work/a", "hello");
  assert.equal(contentOf(guest, "../../../work/a"), "hello");
});

test("a directory's descriptor is no way around that directory", () => {
  const guest = testGuest();
  const fd = guest.open("work", { oflags: 2 });
  makeFile(guest, "tmp/secret");
  for (const path of ["../tmp/secret", "/tmp/secret", "..", "x/../../tmp/secret"]) {
    guest.call("path_create_directory", fd, ...guest.path("x"));
    assert.equal(guest.opens(path, { fd }), ERRNO.perm, path);
  }
});

test("a symlink's absolute target resolves inside the guest's root", () => {
  const guest = testGuest();
  makeFile(guest, "tmp/f", "there");
  assert.equal(guest.call("path_symlink", ...guest.path("/tmp/f"), ROOT_FD, ...guest.path("work/link")), 0);
  assert.equal(contentOf(guest, "work/link"), "there");
  assert.equal(guest.opens("work/link", { lookup: 0 }), ERRNO.loop);
  assert.equal(guest.call("path_readlink", ROOT_FD, ...guest.path("work/link"), 4_096, 64, OUT), 0);
  assert.equal(guest.buffer(guest.view().getUint32(OUT, true)), "/tmp/f");
});

test("forty symlinks in a row are followed, forty-one are a loop", () => {
  const guest = testGuest();
  makeFile(guest, "work/0", "end");
  for (let depth = 1; depth <= 41; depth += 1) {
    guest.call("path_symlink", ...guest.path(String(depth - 1)), ROOT_FD, ...guest.path(`work/${depth}`));
  }
  assert.equal(contentOf(guest, "work/40"), "end");
  assert.equal(guest.opens("work/41"), ERRNO.loop);
});

test("a symlink to itself is a loop, also in the middle of a path", () => {
  const guest = testGuest();
  guest.call("path_symlink", ...guest.path("self"), ROOT_FD, ...guest.path("work/self"));
  assert.equal(guest.opens("work/self"), ERRNO.loop);
  assert.equal(guest.opens("work/self/x"), ERRNO.loop);
});

test("symlinks that multiply each other end as a loop, at once", () => {
  const guest = testGuest();
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/d"));
  guest.call("path_symlink", ...guest.path("d"), ROOT_FD, ...guest.path("work/l0"));
  for (let depth = 1; depth < 30; depth += 1) {
    const target = `l${depth - 1}/../`.repeat(100) + `l${depth - 1}`;
    guest.call("path_symlink", ...guest.path(target), ROOT_FD, ...guest.path(`work/l${depth}`));
  }
  const started = performance.now();
  assert.equal(guest.opens("work/l29"), ERRNO.loop);
  assert.ok(performance.now() - started < 500);
});

test("a name of 255 bytes is a name, one more is too long, counted in UTF-8", () => {
  const guest = testGuest();
  assert.equal(guest.opens(`work/${"x".repeat(255)}`, CREATE), 0);
  assert.equal(guest.opens(`work/${"x".repeat(256)}`, CREATE), ERRNO.nametoolong);
  assert.equal(guest.opens(`work/${"é".repeat(127)}`, CREATE), 0);
  assert.equal(guest.opens(`work/${"é".repeat(128)}`, CREATE), ERRNO.nametoolong);
});

test("a path of 4,096 bytes is looked up, one more is too long", () => {
  const guest = testGuest();
  assert.equal(guest.opens(`${"./".repeat(2_044)}work/../`, { oflags: 2 }), 0);
  assert.equal(guest.opens(`${"./".repeat(2_045)}work/..`, { oflags: 2 }), ERRNO.nametoolong);
});

test("NUL, broken UTF-8 and the empty path are refused", () => {
  const guest = testGuest();
  assert.equal(guest.opens("work/a\0b", CREATE), ERRNO.inval);
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path(Uint8Array.of(0x77, 0xff))), ERRNO.ilseq);
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path(Uint8Array.of(0xed, 0xa0, 0x80))), ERRNO.ilseq);
  assert.equal(guest.opens("", CREATE), ERRNO.noent);
});

test("outside /work and /tmp nothing can be made, changed or removed", () => {
  const guest = testGuest({ mounts: [{ path: "/usr/lib/a.zip", bytes: Buffer.from("zip") }] });
  for (const path of ["x", "usr/x", "dev/x"]) assert.equal(guest.opens(path, CREATE), ERRNO.rofs, path);
  assert.equal(contentOf(guest, "usr/lib/a.zip"), "zip");
  assert.equal(guest.opens("usr/lib/a.zip", { rights: WRITE }), ERRNO.rofs);
  assert.equal(guest.opens("usr/lib/a.zip", { oflags: 8 }), ERRNO.rofs);
  assert.equal(guest.call("path_unlink_file", ROOT_FD, ...guest.path("usr/lib/a.zip")), ERRNO.rofs);
  assert.equal(guest.call("path_remove_directory", ROOT_FD, ...guest.path("work")), ERRNO.rofs);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("work"), ROOT_FD, ...guest.path("tmp/w")), ERRNO.rofs);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("usr/lib/a.zip"), ROOT_FD, ...guest.path("work/z")), ERRNO.xdev);
  assert.equal(guest.call("path_filestat_set_times", ROOT_FD, 0, ...guest.path("usr"), 0n, 0n, 4), ERRNO.rofs);
});

test("what is outside the tree is not there", () => {
  for (const path of ["etc/passwd", "/proc/self/environ", "home"]) assert.equal(testGuest().opens(path), ERRNO.noent);
});

test("a mounted folder appears beneath its file at its exact path alone", () => {
  const pack = new Map([["fonts/a.ttf", Buffer.from("font")]]);
  const guest = testGuest({ mounts: [{ path: "/lib.zip", bytes: Buffer.from("PK"), folder: { path: "m/data", pack } }] });
  assert.equal(contentOf(guest, "lib.zip"), "PK");
  assert.equal(contentOf(guest, "lib.zip/m/data/fonts/a.ttf"), "font");
  for (const path of ["lib.zip/m", "lib.zip/x", "lib.zip/m/other"]) assert.equal(guest.opens(path), ERRNO.notdir, path);
  assert.equal(guest.opens("lib.zip/m/data/none"), ERRNO.noent);
  assert.equal(guest.opens("lib.zip/m/data/new", CREATE), ERRNO.rofs);
});

test("opening obeys creat, excl, directory and trunc", () => {
  const guest = testGuest();
  makeFile(guest, "work/f", "content");
  assert.equal(guest.opens("work/f", { oflags: 1 | 4 }), ERRNO.exist);
  assert.equal(guest.opens("work/f", { oflags: 2 }), ERRNO.notdir);
  assert.equal(guest.opens("work/f/"), ERRNO.notdir);
  assert.equal(guest.opens("work/f/x"), ERRNO.notdir);
  assert.equal(guest.opens("work", { rights: WRITE }), ERRNO.isdir);
  assert.equal(guest.opens("work/n", { oflags: 1 | 2 }), ERRNO.inval);
  assert.equal(guest.opens("work/none"), ERRNO.noent);
  assert.equal(contentOf(guest, "work/f"), "content");
  guest.open("work/f", { oflags: 8, rights: WRITE });
  assert.equal(contentOf(guest, "work/f"), "");
});

test("creating through a dangling symlink makes its target; exclusively it refuses", () => {
  const guest = testGuest();
  guest.call("path_symlink", ...guest.path("target"), ROOT_FD, ...guest.path("work/link"));
  assert.equal(guest.opens("work/link", { oflags: 1 | 4, rights: WRITE }), ERRNO.exist);
  assert.equal(guest.opens("work/link", CREATE), 0);
  assert.equal(guest.opens("work/target"), 0);
});

test("renaming replaces what is of the same kind and empty", () => {
  const guest = testGuest();
  const rename = (from: string, to: string): number =>
    guest.call("path_rename", ROOT_FD, ...guest.path(from), ROOT_FD, ...guest.path(to));
  makeFile(guest, "work/a", "A");
  makeFile(guest, "work/b", "B");
  for (const name of ["d", "e", "full"]) guest.call("path_create_directory", ROOT_FD, ...guest.path(`work/${name}`));
  makeFile(guest, "work/full/x");
  assert.equal(rename("work/a", "work/b"), 0);
  assert.equal(contentOf(guest, "work/b"), "A");
  assert.equal(guest.opens("work/a"), ERRNO.noent);
  assert.equal(rename("work/b", "work/d"), ERRNO.isdir);
  assert.equal(rename("work/d", "work/b"), ERRNO.notdir);
  assert.equal(rename("work/d", "work/full"), ERRNO.notempty);
  assert.equal(rename("work/full", "work/full/sub"), ERRNO.inval);
  assert.equal(rename("work/full", "work/full"), 0);
  assert.equal(rename("work/full", "work/d"), 0);
  assert.equal(guest.opens("work/d/x"), 0);
});

test("a directory cannot be moved beneath itself by way of a descriptor inside it", () => {
  const guest = testGuest();
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/a"));
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/a/b"));
  const inside = guest.open("work/a/b", { oflags: 2 });
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("work/a"), inside, ...guest.path("loop")), ERRNO.inval);
});

test("an unlinked file lives on in its descriptor, and its bytes come back when that closes", () => {
  const guest = testGuest();
  makeFile(guest, "work/f", "still here");
  const fd = guest.open("work/f");
  assert.equal(guest.call("path_unlink_file", ROOT_FD, ...guest.path("work/f")), 0);
  assert.equal(guest.call("fd_read", fd, ...guest.vector(100), OUT), 0);
  assert.equal(guest.buffer(10), "still here");
  assert.equal(guest.files.tree.quota.used, 10);
  guest.call("fd_close", fd);
  assert.equal(guest.files.tree.quota.used, 0);
});

test("hard links share their content and count their names", () => {
  const guest = testGuest();
  makeFile(guest, "work/a", "one");
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("work/a"), ROOT_FD, ...guest.path("work/b")), 0);
  makeFile(guest, "work/b", "two");
  assert.equal(contentOf(guest, "work/a"), "two");
  guest.call("path_filestat_get", ROOT_FD, 0, ...guest.path("work/a"), OUT);
  assert.equal(guest.view().getBigUint64(OUT + 24, true), 2n);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("work"), ROOT_FD, ...guest.path("tmp/w")), ERRNO.perm);
});

test("nothing can be made in a directory that is gone", () => {
  const guest = testGuest();
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/d"));
  const fd = guest.open("work/d", { oflags: 2 });
  assert.equal(guest.call("path_remove_directory", ROOT_FD, ...guest.path("work/d")), 0);
  assert.equal(guest.opens("x", { ...CREATE, fd }), ERRNO.noent);
});
