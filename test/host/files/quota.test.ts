import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { makeFile, OUT, READ, ROOT_FD, testGuest, WRITE } from "../wasi/guest.ts";

const CREATE = { oflags: 1, rights: READ | WRITE };
/** What one name costs. */
const ENTRY = 512;

test("content can fill the limit to its last byte, and one more is no space", () => {
  const guest = testGuest({ fileBytes: ENTRY + 100 });
  const fd = guest.open("work/f", CREATE);
  assert.equal(guest.call("fd_write", fd, ...guest.vector("x".repeat(100)), OUT), 0);
  assert.equal(guest.call("fd_write", fd, ...guest.vector("y"), OUT), ERRNO.nospc);
  assert.equal(guest.call("fd_pwrite", fd, ...guest.vector("y"), 99n, OUT), 0);
  assert.equal(guest.files.tree.quota.used, ENTRY + 100);
});

test("an empty file has room when its name has, and no other way to a name is free", () => {
  const guest = testGuest({ fileBytes: 2 * ENTRY });
  makeFile(guest, "work/a");
  assert.equal(guest.opens("work/b", CREATE), 0);
  assert.equal(guest.opens("work/c", CREATE), ERRNO.nospc);
  assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path("work/c")), ERRNO.nospc);
  assert.equal(guest.call("path_symlink", ...guest.path("t"), ROOT_FD, ...guest.path("work/c")), ERRNO.nospc);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("work/a"), ROOT_FD, ...guest.path("work/c")), ERRNO.nospc);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("work/a"), ROOT_FD, ...guest.path("work/c")), 0);
  assert.equal(guest.call("path_rename", ROOT_FD, ...guest.path("work/b"), ROOT_FD, ...guest.path("work/c")), 0);
  assert.equal(guest.opens("work/d", CREATE), 0);
});

test("holes are charged as if they were written, without being made", () => {
  const guest = testGuest({ fileBytes: 1_048_576 });
  const fd = guest.open("work/f", CREATE);
  assert.equal(guest.call("fd_filestat_set_size", fd, 2n ** 40n), ERRNO.nospc);
  assert.equal(guest.call("fd_filestat_set_size", fd, -1n), ERRNO.inval);
  assert.equal(guest.call("fd_pwrite", fd, ...guest.vector("x"), 2n ** 40n, OUT), ERRNO.nospc);
  assert.equal(guest.call("fd_filestat_set_size", fd, 1_048_576n - BigInt(ENTRY)), 0);
  assert.equal(guest.call("fd_filestat_set_size", fd, 1_048_577n - BigInt(ENTRY)), ERRNO.nospc);
});

test("everything removed is given back", () => {
  const guest = testGuest();
  makeFile(guest, "work/a", "abc");
  guest.call("path_symlink", ...guest.path("target"), ROOT_FD, ...guest.path("work/l"));
  guest.call("path_create_directory", ROOT_FD, ...guest.path("work/d"));
  guest.call("path_link", ROOT_FD, 0, ...guest.path("work/a"), ROOT_FD, ...guest.path("work/d/b"));
  assert.equal(guest.files.tree.quota.used, 4 * ENTRY + 3 + 6);
  for (const path of ["work/a", "work/l", "work/d/b"]) guest.call("path_unlink_file", ROOT_FD, ...guest.path(path));
  guest.call("path_remove_directory", ROOT_FD, ...guest.path("work/d"));
  assert.equal(guest.files.tree.quota.used, 0);
});

test("a file that grew and was cut does not keep its memory", () => {
  const guest = testGuest();
  const fd = guest.open("work/f", CREATE);
  guest.call("fd_filestat_set_size", fd, 500_000n);
  guest.call("fd_filestat_set_size", fd, 1n);
  const { node } = guest.files.get(fd);
  assert.ok(node.kind === "file" && node.data.length <= 2);
});

test("appending byte by byte holds no more than twice what is charged", () => {
  const guest = testGuest();
  const fd = guest.open("work/f", CREATE);
  const { node } = guest.files.get(fd);
  for (let count = 1; count <= 3_000; count += 1) {
    guest.call("fd_write", fd, ...guest.vector("x"), OUT);
    assert.ok(node.kind === "file" && node.size === count && node.data.length <= count * 2);
  }
});
