import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../src/host/errno.ts";
import { WASI_FUNCTIONS, wasiImports } from "../../src/host/imports.ts";
import { testGuest } from "./wasi/guest.ts";

const OUT = 16;

test("the imports are the listed names and nothing else", (t) => {
  const { files, memory } = testGuest();
  const unused = (): never => assert.fail("called");
  const imports = wasiImports({
    memory,
    files,
    output: { write: unused },
    args: [],
    env: {},
    clock: { realtimeNs: unused, monotonicNs: unused },
    random: unused,
    wait: unused,
    exit: unused,
    look: unused,
  });
  assert.deepEqual(Object.keys(imports), [...WASI_FUNCTIONS]);
  assert.ok(Object.values(imports).every((value) => typeof value === "function"));
  t.assert.snapshot([...WASI_FUNCTIONS]);
});

test("sockets answer that they are not supported", () => {
  for (const name of ["sock_accept", "sock_recv", "sock_send", "sock_shutdown"]) assert.equal(testGuest().call(name, 3, 0, 0), ERRNO.notsup);
});

test("arguments and environment are what the context says and nothing of the host's", () => {
  const guest = testGuest();
  guest.call("environ_sizes_get", OUT, OUT + 4);
  assert.equal(guest.view().getUint32(OUT, true), 1);
  guest.call("environ_get", 64, 128);
  assert.equal(guest.view().getUint32(64, true), 128);
  assert.equal(Buffer.from(guest.memory.buffer, 128, 11).toString(), "HOME=/work\0");
  guest.call("args_get", 64, 128);
  assert.equal(Buffer.from(guest.memory.buffer, 128, 7).toString(), "python\0");
});

test("the root is preopened under its name alone", () => {
  const guest = testGuest();
  assert.equal(guest.call("fd_prestat_get", 3, OUT), 0);
  assert.equal(guest.view().getUint32(OUT + 4, true), 1);
  assert.equal(guest.call("fd_prestat_dir_name", 3, 64, 1), 0);
  assert.equal(guest.view().getUint8(64), "/".charCodeAt(0));
  assert.equal(guest.call("fd_prestat_dir_name", 3, 64, 0), ERRNO.nametoolong);
  for (const fd of [0, 1, 2, 4]) assert.equal(guest.call("fd_prestat_get", fd, OUT), ERRNO.badf);
});

test("exiting throws out of the guest", () => {
  assert.throws(() => testGuest().call("proc_exit", 3), /exit 3/);
});

test("a turn can bring its own files to imports made before", () => {
  const first = testGuest();
  const second = testGuest();
  let files = first.files;
  const guest = testGuest({ context: { get files() { return files; } } });
  files = first.files;
  assert.equal(guest.opens("work/f", { oflags: 1 }), 0);
  files = second.files;
  assert.equal(guest.opens("work/f"), ERRNO.noent);
});
