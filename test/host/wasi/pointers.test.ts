import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { MEMORY_BYTES, OUT, ROOT_FD, testGuest } from "./guest.ts";

const OUTSIDE = [MEMORY_BYTES, MEMORY_BYTES - 1, -1, -4, 2 ** 31 - 1, -(2 ** 31)];

test("a result is written up to the last byte of memory and never beyond", () => {
  const guest = testGuest();
  assert.equal(guest.call("clock_time_get", 0, 0n, MEMORY_BYTES - 8), 0);
  for (const at of [MEMORY_BYTES - 7, ...OUTSIDE]) assert.equal(guest.call("clock_time_get", 0, 0n, at), ERRNO.fault);
});

test("every pointer argument that leaves the memory is a fault", () => {
  const guest = testGuest();
  const [path, length] = guest.path("work/f");
  const fd = guest.open("work/f", { oflags: 1 });
  for (const bad of OUTSIDE) {
    const calls: [string, ...(number | bigint)[]][] = [
      ["args_get", bad, 64],
      ["args_get", 64, bad],
      ["args_sizes_get", bad, 64],
      ["environ_get", bad, 64],
      ["environ_sizes_get", 64, bad],
      ["clock_res_get", 0, bad],
      ["random_get", bad, 8],
      ["fd_read", fd, bad, 1, OUT],
      ["fd_write", 1, bad, 1, OUT],
      ["fd_pread", fd, bad, 1, 0n, OUT],
      ["fd_fdstat_get", fd, bad],
      ["fd_filestat_get", fd, bad],
      ["fd_prestat_get", ROOT_FD, bad],
      ["fd_readdir", ROOT_FD, bad, 100, 0n, OUT],
      ["fd_readdir", ROOT_FD, 8_192, 100, 0n, bad],
      ["fd_seek", fd, 0n, 0, bad],
      ["fd_tell", fd, bad],
      ["path_open", ROOT_FD, 0, bad, 4, 0, 0n, 0n, 0, OUT],
      ["path_open", ROOT_FD, 0, path, length, 0, 0n, 0n, 0, bad],
      ["path_filestat_get", ROOT_FD, 0, bad, 4, OUT],
      ["path_filestat_get", ROOT_FD, 0, path, length, bad],
      ["path_create_directory", ROOT_FD, bad, 4],
      ["path_symlink", bad, 4, ROOT_FD, path, length],
      ["path_rename", ROOT_FD, path, length, ROOT_FD, bad, 4],
      ["poll_oneoff", bad, 8_192, 1, OUT],
      ["poll_oneoff", 8_192, bad, 1, OUT],
      ["poll_oneoff", 8_192, 12_288, 1, bad],
    ];
    for (const [name, ...args] of calls) assert.equal(guest.call(name, ...args), ERRNO.fault, `${name}(${args.join()})`);
  }
});

test("a failed open leaves no descriptor behind", () => {
  const guest = testGuest();
  const [path, length] = guest.path("work/f");
  assert.equal(guest.call("path_open", ROOT_FD, 0, path, length, 1, 0n, 0n, 0, -1), ERRNO.fault);
  assert.equal(guest.opens("work/f"), ERRNO.noent);
  assert.equal([...guest.files.entries()].length, 4);
});

test("a vector that ends at the end of memory is read, one past it is a fault", () => {
  const guest = testGuest();
  const view = guest.view();
  view.setUint32(1_024, MEMORY_BYTES - 4, true);
  view.setUint32(1_028, 4, true);
  assert.equal(guest.call("fd_write", 1, 1_024, 1, OUT), 0);
  view.setUint32(1_028, 5, true);
  assert.equal(guest.call("fd_write", 1, 1_024, 1, OUT), ERRNO.fault);
  view.setUint32(1_028, 0xffff_ffff, true);
  assert.equal(guest.call("fd_write", 1, 1_024, 1, OUT), ERRNO.fault);
});

test("1,024 vectors are written, one more is refused", () => {
  const guest = testGuest();
  assert.equal(guest.call("fd_write", 1, 8_192, 1_024, OUT), 0);
  assert.equal(guest.call("fd_write", 1, 8_192, 1_025, OUT), ERRNO.inval);
  assert.equal(guest.call("fd_write", 1, 8_192, -1, OUT), ERRNO.inval);
});

test("memory that grew is seen at once", () => {
  const guest = testGuest();
  assert.equal(guest.call("clock_time_get", 0, 0n, MEMORY_BYTES), ERRNO.fault);
  guest.memory.grow(1);
  assert.equal(guest.call("clock_time_get", 0, 0n, MEMORY_BYTES), 0);
  assert.equal(guest.view().getBigUint64(MEMORY_BYTES, true), 1_000_000_000n);
});

test("randomness is filled whole, up to 16 MiB a call", () => {
  const guest = testGuest();
  assert.equal(guest.call("random_get", 0, MEMORY_BYTES), 0);
  assert.ok(new Uint8Array(guest.memory.buffer).every((byte) => byte === 7));
  assert.equal(guest.call("random_get", 0, 16 * 1_048_576 + 1), ERRNO.inval);
});
