import assert from "node:assert/strict";
import { test } from "node:test";
import { WASI_FUNCTIONS } from "../../../src/host/imports.ts";
import type { TreeNode } from "../../../src/host/files/node.ts";
import type { FileTree } from "../../../src/host/files/tree.ts";
import { restoreFiles, saveFiles } from "../../../src/host/files/saved-files.ts";
import { OUT, ROOT_FD, testGuest } from "./guest.ts";

const CALLS = 40_000;
const PATHS = ["work/a", "work/b", "work/d", "work/d/e", "work/d/e/f", "tmp/x", "work/l", "work/../tmp", ".", "/", "dev/null", "work/d/"];
/** Arguments: d directory, f descriptor, p path, v vector, w i64, s small, n any number, o somewhere to write. */
const SHAPES: Readonly<Record<string, string>> = {
  args_get: "nn",
  args_sizes_get: "nn",
  clock_res_get: "sn",
  clock_time_get: "swn",
  environ_get: "nn",
  environ_sizes_get: "nn",
  fd_advise: "fwws",
  fd_close: "f",
  fd_datasync: "f",
  fd_fdstat_get: "fn",
  fd_fdstat_set_flags: "fs",
  fd_filestat_get: "fn",
  fd_filestat_set_size: "fw",
  fd_filestat_set_times: "fwws",
  fd_pread: "fvwn",
  fd_prestat_dir_name: "fnn",
  fd_prestat_get: "fn",
  fd_pwrite: "fvwn",
  fd_read: "fvn",
  fd_readdir: "fnnwn",
  fd_seek: "fwsn",
  fd_sync: "f",
  fd_tell: "fn",
  fd_write: "fvn",
  path_create_directory: "dp",
  path_filestat_get: "dspn",
  path_filestat_set_times: "dspwws",
  path_link: "dspdp",
  path_open: "dspswwso",
  path_readlink: "dpnnn",
  path_remove_directory: "dp",
  path_rename: "dpdp",
  path_symlink: "pdp",
  path_unlink_file: "dp",
  poll_oneoff: "nnsn",
  random_get: "nn",
  sched_yield: "",
  sock_accept: "fsn",
  sock_recv: "fnnsnn",
  sock_send: "fnnsn",
  sock_shutdown: "fs",
};

/** Mulberry32: the same calls each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What the tree and the open descriptors hold, counted anew. */
function weigh(tree: FileTree, open: Iterable<TreeNode>): number {
  let sum = 0;
  const seen = new Set<TreeNode>();
  const content = (node: TreeNode): void => {
    if (node.sealed || seen.has(node)) return;
    seen.add(node);
    if (node.kind === "file") sum += node.size;
    if (node.kind === "symlink") sum += node.target.length;
    if (node.kind !== "directory") return;
    for (const entry of node.entries.values()) {
      sum += 512;
      content(entry.node);
    }
  };
  for (const name of ["work", "tmp"]) {
    const folder = tree.root.entries.get(name)?.node;
    if (folder !== undefined) content(folder);
  }
  for (const node of open) content(node);
  return sum;
}

test("whatever is called with whatever arguments, the answer is an errno and the books balance", () => {
  const next = random(20_261_130);
  const guest = testGuest({ fileBytes: 20_000 });
  const numbers = [0, 1, 4, 24, 64, 1_024, 65_535, 262_143, 262_144, -1, 2 ** 31 - 1, -(2 ** 31)];
  const wide = [0n, 1n, 2n, 66n, 2n ** 22n + 70n, 70n, 5_000n, 2n ** 40n, -1n, 2n ** 63n - 1n, -(2n ** 63n)];
  const pick = <T>(list: readonly T[], or: T): T => list[next(list.length)] ?? or;
  const number = (): number => pick(numbers, 0);
  const seen = new Set<number>();

  const argumentOf = (kind: string): (number | bigint)[] => {
    if (next(25) === 0 && kind !== "w") return kind === "p" || kind === "v" ? [number(), number()] : [number()];
    switch (kind) {
      case "d":
        return [next(20) === 0 ? next(12) : ROOT_FD];
      case "f":
        return [next(16)];
      case "p":
        return guest.path(pick(PATHS, ""));
      case "v":
        return guest.vector(next(5_000));
      case "w":
        return [pick(wide, 0n)];
      case "s":
        return [next(9)];
      case "o":
        return [OUT];
      default:
        return [number()];
    }
  };

  for (let count = 0; count < CALLS; count += 1) {
    const name = WASI_FUNCTIONS[next(WASI_FUNCTIONS.length)] ?? "";
    if (name === "proc_exit") continue;
    const args = [...(SHAPES[name] ?? assert.fail(name))].flatMap(argumentOf);
    // Without its root the guest could do nothing more.
    if (name === "fd_close" && args[0] === ROOT_FD) continue;
    const errno = guest.call(name, ...args);
    assert.ok(Number.isInteger(errno) && errno >= 0 && errno < 77, `${name} answered ${errno}`);
    seen.add(errno);
    const { tree } = guest.files;
    assert.ok(tree.quota.used >= 0 && tree.quota.used <= tree.quota.limit, name);
    if (count % 500 === 0) {
      assert.equal(tree.quota.used, weigh(tree, [...guest.files.entries()].map(([, { node }]) => node)), `after ${count} calls`);
      const twin = restoreFiles({ base: tree.base, fileBytes: 20_000, now: tree.now }, saveFiles(guest.files));
      assert.equal(weigh(twin.tree, [...twin.entries()].map(([, { node }]) => node)), tree.quota.used);
    }
  }
  assert.ok(seen.size > 15, `only ${seen.size} kinds of answer were seen`);
});
