import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine, readSettings } from "../../src/cli/flags.ts";
import { compileAsset } from "../../src/engine/module.ts";
import { JAVASCRIPT_MODULES, PYTHON_MODULE } from "../../src/guests/modules.ts";
import { ERRNO } from "../../src/host/errno.ts";
import { fileRequest } from "../../src/host/files/requests.ts";
import { openMounts } from "../../src/host/mounts/mounts.ts";
import { folderRights } from "../../src/host/mounts/roots.ts";
import { createNetDoor } from "../../src/host/net/net-door.ts";
import { isGranted, mountedFolders } from "../../src/policy/grants.ts";
import { OUT, READ, ROOT_FD, testGuest, WRITE } from "./wasi/guest.ts";

/** What each import of the guests could reach of the machine: nothing at all, or what a grant opens. */
const REACH: Readonly<Record<string, readonly string[]>> = {
  files: [
    "fd_advise", "fd_close", "fd_datasync", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_filestat_get", "fd_filestat_set_size", "fd_filestat_set_times",
    "fd_pread", "fd_prestat_get", "fd_prestat_dir_name", "fd_pwrite", "fd_read", "fd_readdir", "fd_seek", "fd_sync", "fd_tell", "fd_write",
    "path_create_directory", "path_filestat_get", "path_filestat_set_times", "path_link", "path_open", "path_readlink", "path_remove_directory",
    "path_rename", "path_symlink", "path_unlink_file", "belljar:guest/door file",
  ],
  variables: ["environ_get", "environ_sizes_get", "belljar:guest/door file", "host call"],
  network: ["sock_accept", "sock_recv", "sock_send", "sock_shutdown", "belljar:guest/door net", "host call"],
  nothing: [
    "args_get", "args_sizes_get", "clock_res_get", "clock_time_get", "poll_oneoff", "proc_exit", "sched_yield", "random_get",
    "belljar:guest/door enter", "belljar:guest/door catchable", "belljar:guest/door write", "belljar:guest/door wait",
    "belljar:guest/door monotonic", "belljar:guest/door full", "belljar:guest/door random", "belljar:guest/door exit",
  ],
};
/** The linker's own, and the interfaces of the JavaScript runtime, which `preview2.test.ts` holds to reaching nothing. */
const ELSEWHERE = /^(?:env |GOT\.|belljar memory|belljar record|\[export\]|\$root |local:init|wasi:|wasi_snapshot_preview1 reset_adapter_state)/;

const sealed = readSettings(parseCommandLine([]).values, { HOME: "/root", SECRET: "s3cret" }).grants;

test("each import of each guest is known by what it could reach", async () => {
  const modules = await Promise.all([PYTHON_MODULE, ...JAVASCRIPT_MODULES].map(compileAsset));
  const linked = modules.flatMap((module) => WebAssembly.Module.imports(module));
  const names = linked.map(({ module, name }) => `${module} ${name}`).filter((name) => !ELSEWHERE.test(name)).map((name) => name.replace("wasi_snapshot_preview1 ", ""));
  const known = new Set(Object.values(REACH).flat());
  assert.deepEqual(names.filter((name) => !known.has(name)), []);
  assert.deepEqual([...known].filter((name) => !names.includes(name)), []);
});

test("without a flag nothing is granted, mounted, or opened to the engine", () => {
  assert.equal(isGranted(sealed), false);
  assert.deepEqual([mountedFolders(sealed), folderRights(mountedFolders(sealed)), openMounts(sealed).folders], [[], [], []]);
});

test("without a flag no file of the machine can be reached", () => {
  const guest = testGuest({ folders: openMounts(sealed).folders });
  for (const path of ["etc/passwd", "proc/self/environ", "root", "home", "mnt", "usr/bin"]) {
    assert.equal(guest.opens(path), ERRNO.noent, path);
    assert.equal(guest.call("path_filestat_get", ROOT_FD, 1, ...guest.path(path), OUT), ERRNO.noent, path);
  }
  for (const path of ["mnt", "etc", "new"]) {
    assert.equal(guest.call("path_create_directory", ROOT_FD, ...guest.path(path)), ERRNO.rofs, path);
    assert.equal(guest.opens(path, { oflags: 1, rights: READ | WRITE }), ERRNO.rofs, path);
  }
  const { tree } = guest.files;
  for (const op of ["read", "stat", "list", "readlink"]) {
    const { answer } = fileRequest(tree, JSON.stringify({ op, path: "/etc/passwd", as: "text", follow: true }), new Uint8Array(0));
    assert.equal(answer, '{"error":"ENOENT"}', op);
  }
});

test("without a flag no variable of the machine can be seen", () => {
  assert.deepEqual(sealed.env, {});
  const { answer } = fileRequest(testGuest().files.tree, '{"op":"environment","path":""}', new Uint8Array(0), sealed.env);
  assert.equal(answer, '{"ok":{}}');
});

test("without a flag there is no socket, no name is looked up, and no request begins", () => {
  const guest = testGuest();
  for (const name of REACH["network"]?.filter((each) => each.startsWith("sock_")) ?? []) assert.equal(guest.call(name, 3, 0, 0, 0, 0, 0), ERRNO.notsup, name);
  const door = createNetDoor(undefined, sealed);
  for (const url of ["http://localhost/", "https://example.com/", "http://127.0.0.1:8080/", "http://[::1]/"]) {
    const { answer } = door.ask({ op: "check", url }, new Uint8Array(0));
    assert.match(String(Object(answer["error"]).message), /--allow-net/, url);
  }
});
