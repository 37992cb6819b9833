import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { contentOf, makeFile, OUT, READ, ROOT_FD, testGuest, WRITE } from "./guest.ts";

const BOTH = { oflags: 1, rights: READ | WRITE };

test("output goes to its stream, input is at its end, and none of them is a terminal", () => {
  const guest = testGuest();
  guest.call("fd_write", 1, ...guest.vector("out"), OUT);
  guest.call("fd_write", 2, ...guest.vector("err"), OUT);
  assert.deepEqual(guest.written, { stdout: "out", stderr: "err" });
  assert.equal(guest.call("fd_read", 0, ...guest.vector(10), OUT), 0);
  assert.equal(guest.view().getUint32(OUT, true), 0);
  assert.equal(guest.call("fd_write", 0, ...guest.vector("x"), OUT), ERRNO.badf);
  for (const fd of [0, 1, 2]) {
    guest.call("fd_fdstat_get", fd, OUT);
    assert.notEqual(guest.view().getUint8(OUT), 2);
    assert.equal(guest.call("fd_seek", fd, 0n, 0, OUT), ERRNO.spipe);
  }
});

test("reading, writing and seeking move one position; pread and pwrite leave it", () => {
  const guest = testGuest();
  const fd = guest.open("work/f", BOTH);
  guest.call("fd_write", fd, ...guest.vector("abcdef"), OUT);
  guest.call("fd_pwrite", fd, ...guest.vector("XY"), 1n, OUT);
  guest.call("fd_tell", fd, OUT);
  assert.equal(guest.view().getBigUint64(OUT, true), 6n);
  guest.call("fd_pread", fd, ...guest.vector(3), 0n, OUT);
  assert.equal(guest.buffer(3), "aXY");
  guest.call("fd_seek", fd, -2n, 2, OUT);
  guest.call("fd_read", fd, ...guest.vector(10), OUT);
  assert.equal(guest.buffer(2), "ef");
  assert.equal(guest.view().getUint32(OUT, true), 2);
});

test("seeking before the start or past what an offset can be is refused", () => {
  const guest = testGuest();
  const fd = guest.open("work/f", BOTH);
  assert.equal(guest.call("fd_seek", fd, -1n, 0, OUT), ERRNO.inval);
  assert.equal(guest.call("fd_seek", fd, 0n, 3, OUT), ERRNO.inval);
  assert.equal(guest.call("fd_seek", fd, 2n ** 53n - 1n, 0, OUT), 0);
  assert.equal(guest.call("fd_seek", fd, 1n, 1, OUT), ERRNO.overflow);
  assert.equal(guest.call("fd_seek", fd, 2n ** 63n - 1n, 1, OUT), ERRNO.overflow);
  assert.equal(guest.call("fd_write", fd, ...guest.vector("x"), OUT), ERRNO.nospc);
});

test("appending writes at the end wherever the position is", () => {
  const guest = testGuest();
  makeFile(guest, "work/f", "one");
  const fd = guest.open("work/f", { ...BOTH, fdflags: 1 });
  guest.call("fd_seek", fd, 0n, 0, OUT);
  guest.call("fd_write", fd, ...guest.vector("two"), OUT);
  assert.equal(contentOf(guest, "work/f"), "onetwo");
});

test("a gap reads as zeros, also where content was cut before", () => {
  const guest = testGuest();
  const fd = guest.open("work/f", BOTH);
  guest.call("fd_write", fd, ...guest.vector("secret"), OUT);
  guest.call("fd_filestat_set_size", fd, 1n);
  guest.call("fd_pwrite", fd, ...guest.vector("!"), 5n, OUT);
  assert.equal(contentOf(guest, "work/f"), "s\0\0\0\0!");
});

test("a descriptor does what it was opened for and no more", () => {
  const guest = testGuest();
  makeFile(guest, "work/f", "x");
  const reader = guest.open("work/f", { rights: READ });
  const writer = guest.open("work/f", { rights: WRITE });
  assert.equal(guest.call("fd_write", reader, ...guest.vector("y"), OUT), ERRNO.badf);
  assert.equal(guest.call("fd_read", writer, ...guest.vector(1), OUT), ERRNO.badf);
  assert.equal(guest.call("fd_filestat_set_size", reader, 0n), ERRNO.inval);
  assert.equal(guest.call("fd_read", ROOT_FD, ...guest.vector(1), OUT), ERRNO.isdir);
});

test("descriptors that are none are refused", () => {
  const guest = testGuest();
  for (const fd of [4, 255, 256, -1, 2 ** 31 - 1]) {
    assert.equal(guest.call("fd_close", fd), ERRNO.badf);
    assert.equal(guest.call("fd_read", fd, ...guest.vector(1), OUT), ERRNO.badf);
    assert.equal(guest.opens("x", { fd }), ERRNO.badf);
  }
});

test("256 descriptors can be open, one more is refused before anything is made", () => {
  const guest = testGuest();
  for (let fd = 4; fd < 256; fd += 1) assert.equal(guest.open("work/f", BOTH), fd);
  assert.equal(guest.opens("work/new", BOTH), ERRNO.mfile);
  guest.call("fd_close", 100);
  assert.equal(guest.opens("work/new"), ERRNO.noent);
  assert.equal(guest.open("work/f"), 100);
});

/** Reads a directory through buffers of a size, as a C library does: names, in order. */
function list(guest: ReturnType<typeof testGuest>, path: string, size: number, between = (): void => {}): string[] {
  const fd = guest.open(path, { oflags: 2 });
  const names: string[] = [];
  for (let cookie = 0n; ; between()) {
    assert.equal(guest.call("fd_readdir", fd, 8_192, size, cookie, OUT), 0);
    const used = guest.view().getUint32(OUT, true);
    let at = 8_192;
    while (at + 24 <= 8_192 + used) {
      const length = guest.view().getUint32(at + 16, true);
      if (at + 24 + length > 8_192 + used) break;
      names.push(Buffer.from(guest.memory.buffer, at + 24, length).toString());
      cookie = guest.view().getBigUint64(at, true);
      at += 24 + length;
    }
    if (used < size) return names;
  }
}

test("a directory is listed whole through any buffer, while its entries are deleted too", () => {
  const guest = testGuest();
  const names = Array.from({ length: 100 }, (_, index) => `file-${index}`);
  for (const name of names) makeFile(guest, `work/${name}`);
  for (const size of [40, 100, 1_000, 8_192]) assert.deepEqual(list(guest, "work", size), [".", "..", ...names]);
  let next = 0;
  const seen = list(guest, "work", 100, () => guest.call("path_unlink_file", ROOT_FD, ...guest.path(`work/file-${next++}`)));
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen.slice(-50), names.slice(-50));
});

test("a listing begun anew sees what was added since", () => {
  const guest = testGuest();
  assert.deepEqual(list(guest, "tmp", 1_000), [".", ".."]);
  makeFile(guest, "tmp/new");
  assert.deepEqual(list(guest, "tmp", 1_000), [".", "..", "new"]);
  assert.equal(guest.call("fd_readdir", guest.open("tmp", { oflags: 2 }), 8_192, 100, -1n, OUT), 0);
  assert.equal(guest.view().getUint32(OUT, true), 0);
});

test("devices give what their names say, and no endless read", () => {
  const guest = testGuest();
  guest.call("fd_read", guest.open("dev/zero"), ...guest.vector(4), OUT);
  assert.equal(guest.buffer(4), "\0\0\0\0");
  guest.call("fd_read", guest.open("dev/urandom"), ...guest.vector(2), OUT);
  assert.equal(guest.buffer(2), "\u0007\u0007");
  const nothing = guest.open("dev/null", { rights: READ | WRITE });
  assert.equal(guest.call("fd_write", nothing, ...guest.vector("gone"), OUT), 0);
  guest.call("fd_read", nothing, ...guest.vector(4), OUT);
  assert.equal(guest.view().getUint32(OUT, true), 0);
});

test("times are set as told, and contradictions refused", () => {
  const guest = testGuest();
  makeFile(guest, "work/f");
  const set = (flags: number): number => guest.call("path_filestat_set_times", ROOT_FD, 0, ...guest.path("work/f"), 5n, 6n, flags);
  assert.equal(set(1 | 2), ERRNO.inval);
  assert.equal(set(4 | 8), ERRNO.inval);
  assert.equal(set(1 | 4), 0);
  guest.call("path_filestat_get", ROOT_FD, 0, ...guest.path("work/f"), OUT);
  assert.equal(guest.view().getBigUint64(OUT + 40, true), 5n);
  assert.equal(guest.view().getBigUint64(OUT + 48, true), 6n);
});
