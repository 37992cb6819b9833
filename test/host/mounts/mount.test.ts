import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { contentOf, makeFile, OUT, READ, ROOT_FD, WRITE } from "../wasi/guest.ts";
import { mountedGuest, realFolder } from "./mounted.ts";

test("what is in the folder is read, live", () => {
  using folder = realFolder();
  writeFileSync(join(folder.path, "a.txt"), "one");
  const guest = mountedGuest(folder.path, { writable: false });
  assert.equal(contentOf(guest, "mnt/data/a.txt"), "one");
  writeFileSync(join(folder.path, "a.txt"), "another");
  assert.equal(contentOf(guest, "mnt/data/a.txt"), "another");
  unlinkSync(join(folder.path, "a.txt"));
  assert.equal(guest.opens("mnt/data/a.txt"), ERRNO.noent);
});

test("a folder to read only refuses every change, and nothing is changed", () => {
  using folder = realFolder();
  mkdirSync(join(folder.path, "sub"));
  writeFileSync(join(folder.path, "a.txt"), "one");
  const guest = mountedGuest(folder.path, { writable: false });
  const { rofs } = ERRNO;
  assert.equal(guest.opens("mnt/data/a.txt", { rights: READ | WRITE }), rofs);
  assert.equal(guest.opens("mnt/data/a.txt", { oflags: 8 }), rofs);
  assert.equal(guest.opens("mnt/data/new", { oflags: 1, rights: READ | WRITE }), rofs);
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path("mnt/data/d")), rofs);
  assert.equal(guest.call("path_unlink_file", ROOT_FD, ...guest.path("mnt/data/a.txt")), rofs);
  assert.equal(guest.call("path_remove_directory", ROOT_FD, ...guest.path("mnt/data/sub")), rofs);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data/a.txt"), ROOT_FD, ...guest.path("mnt/data/b.txt")), rofs);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data/a.txt"), ROOT_FD, ...guest.path("work/b.txt")), rofs);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("mnt/data/a.txt"), ROOT_FD, ...guest.path("mnt/data/b")), rofs);
  assert.equal(guest.call("path_symlink", ...guest.path("x"), ROOT_FD, ...guest.path("mnt/data/l")), rofs);
  assert.equal(guest.call("path_filestat_set_times", ROOT_FD, 0, ...guest.path("mnt/data/a.txt"), 0n, 0n, 5), rofs);
  const fd = guest.open("mnt/data/a.txt");
  assert.equal(guest.call("fd_write", fd, ...guest.vector("x"), OUT), ERRNO.badf);
  assert.notEqual(guest.call("fd_filestat_set_size", fd, 0n), 0);
  assert.equal(readFileSync(join(folder.path, "a.txt"), "utf8"), "one");
});

test("a folder to write takes files, folders, renames and removals", () => {
  using folder = realFolder();
  const guest = mountedGuest(folder.path);
  makeFile(guest, "mnt/data/a.txt", "hello");
  assert.equal(readFileSync(join(folder.path, "a.txt"), "utf8"), "hello");
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path("mnt/data/d")), 0);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data/a.txt"), ROOT_FD, ...guest.path("mnt/data/d/b.txt")), 0);
  assert.equal(readFileSync(join(folder.path, "d/b.txt"), "utf8"), "hello");
  assert.equal(guest.call("path_remove_directory", ROOT_FD, ...guest.path("mnt/data/d")), ERRNO.notempty);
  assert.equal(guest.call("path_unlink_file", ROOT_FD, ...guest.path("mnt/data/d/b.txt")), 0);
  assert.equal(guest.call("path_remove_directory", ROOT_FD, ...guest.path("mnt/data/d")), 0);
  assert.ok(!existsSync(join(folder.path, "d")));
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data"), ROOT_FD, ...guest.path("mnt/other")), ERRNO.rofs);
});

test("a file is written where it is told, cut, extended and appended to", () => {
  using folder = realFolder();
  const guest = mountedGuest(folder.path);
  const path = join(folder.path, "f");
  const fd = guest.open("mnt/data/f", { oflags: 1, rights: READ | WRITE });
  guest.call("fd_write", fd, ...guest.vector("hello world"), OUT);
  guest.call("fd_pwrite", fd, ...guest.vector("W"), 6n, OUT);
  assert.equal(readFileSync(path, "utf8"), "hello World");
  assert.equal(guest.call("fd_filestat_set_size", fd, 5n), 0);
  assert.equal(readFileSync(path, "utf8"), "hello");
  guest.call("fd_filestat_get", fd, 256);
  assert.equal(guest.view().getBigUint64(256 + 32, true), 5n);
  guest.call("fd_close", fd);
  const appended = guest.open("mnt/data/f", { rights: READ | WRITE, fdflags: 1 });
  guest.call("fd_write", appended, ...guest.vector("!"), OUT);
  assert.equal(readFileSync(path, "utf8"), "hello!");
  assert.equal(guest.call("path_filestat_set_times", ROOT_FD, 0, ...guest.path("mnt/data/f"), 1_000_000_000n, 2_000_000_000n, 5), 0);
  assert.equal(statSync(path).mtimeMs, 2_000);
});

test("a listing tells kinds, and a link's own", () => {
  using folder = realFolder();
  mkdirSync(join(folder.path, "d"));
  writeFileSync(join(folder.path, "f"), "");
  symlinkSync("f", join(folder.path, "l"));
  const guest = mountedGuest(folder.path);
  const fd = guest.open("mnt/data", { oflags: 2 });
  assert.equal(guest.call("fd_readdir", fd, 4_096, 2_048, 0n, OUT), 0);
  const found = new Map<string, number>();
  for (let at = 4_096; at < 4_096 + guest.view().getUint32(OUT, true); ) {
    const length = guest.view().getUint32(at + 16, true);
    found.set(Buffer.from(guest.memory.buffer, at + 24, length).toString(), guest.view().getUint8(at + 20));
    at += 24 + length;
  }
  assert.deepEqual(Object.fromEntries(found), { ".": 3, "..": 3, d: 3, f: 4, l: 7 });
});

test("an open file is closed at the end of a turn, and opened again when the next uses it, if it is that file still", () => {
  using folder = realFolder();
  const path = join(folder.path, "f");
  writeFileSync(path, "one two");
  const guest = mountedGuest(folder.path);
  const fd = guest.open("mnt/data/f");
  guest.call("fd_read", fd, ...guest.vector(4), OUT);
  guest.turn();
  assert.equal(guest.call("fd_read", fd, ...guest.vector(4), OUT), 0);
  assert.equal(guest.buffer(guest.view().getUint32(OUT, true)), "two");
  guest.turn();
  renameSync(path, join(folder.path, "moved"));
  writeFileSync(path, "another");
  assert.equal(guest.call("fd_read", fd, ...guest.vector(4), OUT), ERRNO.noent);
});

test("written bytes, made files and open files are limited, at the limit and one over, and begin anew with each turn", () => {
  using folder = realFolder();
  const guest = mountedGuest(folder.path, { writtenBytes: 10, madeFiles: 2, openFiles: 2 });
  const fd = guest.open("mnt/data/a", { oflags: 1, rights: READ | WRITE });
  assert.equal(guest.call("fd_write", fd, ...guest.vector("0123456789"), OUT), 0);
  assert.equal(guest.call("fd_write", fd, ...guest.vector("x"), OUT), ERRNO.nospc);
  assert.equal(guest.call("fd_pwrite", fd, ...guest.vector("x"), 1_000_000_000n, OUT), ERRNO.nospc);
  assert.equal(guest.call("fd_filestat_set_size", fd, 11n), ERRNO.nospc);
  guest.open("mnt/data/b", { oflags: 1, rights: READ | WRITE });
  assert.equal(guest.opens("mnt/data/a"), ERRNO.mfile);
  guest.call("fd_close", fd);
  assert.equal(guest.opens("mnt/data/a"), 0);
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path("mnt/data/d")), ERRNO.nospc);
  guest.turn();
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path("mnt/data/d")), 0);
  assert.deepEqual([statSync(join(folder.path, "a")).size, existsSync(join(folder.path, "c"))], [10, false]);
});

test("each use is told with its bytes, once for all its parts", () => {
  using folder = realFolder();
  writeFileSync(join(folder.path, "a"), "12345");
  const guest = mountedGuest(folder.path);
  contentOf(guest, "mnt/data/a");
  makeFile(guest, "mnt/data/b", "123");
  guest.turn();
  assert.deepEqual(guest.uses, [
    { what: "read", name: "/mnt/data/a", times: 1, bytes: 5 },
    { what: "make", name: "/mnt/data/b", times: 1, bytes: 0 },
    { what: "write", name: "/mnt/data/b", times: 1, bytes: 3 },
  ]);
});
