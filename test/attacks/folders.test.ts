import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ERRNO, type ErrnoName } from "../../src/host/errno.ts";
import { checkName } from "../../src/host/mounts/names.ts";
import { resolveFolders } from "../../src/host/mounts/roots.ts";
import { contentOf, READ, ROOT_FD, WRITE } from "../host/wasi/guest.ts";
import { mountedGuest, realFolder } from "../host/mounts/mounted.ts";

const SECRET = "not for the guest";

/** A folder with all that might lead out of it, beside a file that is not granted. */
function trap() {
  const outside = realFolder();
  const inside = join(outside.path, "data");
  mkdirSync(join(inside, "sub/deep"), { recursive: true });
  writeFileSync(join(outside.path, "secret.txt"), SECRET);
  writeFileSync(join(inside, "own.txt"), "own");
  writeFileSync(join(inside, "sub/own.txt"), "own, beneath");
  const links: Record<string, string> = {
    up: "..",
    "to-secret": "../secret.txt",
    "to-secret-absolute": join(outside.path, "secret.txt"),
    "to-root": "/",
    "to-proc": "/proc/self/environ",
    "to-itself": "to-itself",
    "to-own": "own.txt",
    "to-own-absolute": join(inside, "own.txt"),
    "to-own-around": "../data/own.txt",
    "sub/to-up": "../../secret.txt",
    "sub/chain": "../up",
    dangling: "nowhere",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(inside, name));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(inside, "pipe")]);
  return { outside, inside };
}

const LEADS_OUT: readonly (readonly [path: string, ...errnos: ErrnoName[]])[] = [
  ["mnt/data/../secret.txt", "noent"],
  ["mnt/data/sub/../../secret.txt", "noent"],
  ["mnt/data/sub/deep/../../../../../../../../etc/passwd", "noent"],
  ["mnt/data//..//..//etc/passwd", "noent"],
  ["mnt/data/./.././../etc/passwd", "noent"],
  ["/etc/passwd", "noent"],
  ["//etc/passwd", "noent"],
  ["/proc/self/environ", "noent"],
  ["/proc/self/fd/0", "noent"],
  ["/proc/self/root/etc/passwd", "noent"],
  ["/dev/fd/0", "noent"],
  ["mnt/data/proc/self/environ", "noent"],
  ["mnt/data/up/secret.txt", "noent"],
  ["mnt/data/to-secret", "noent"],
  ["mnt/data/to-secret-absolute", "noent"],
  ["mnt/data/to-root/etc/passwd", "noent"],
  ["mnt/data/to-proc", "noent"],
  ["mnt/data/to-itself", "loop"],
  ["mnt/data/sub/to-up", "noent"],
  ["mnt/data/sub/chain/secret.txt", "noent"],
  ["mnt/data/dangling", "noent"],
  ["mnt/data/own.txt/../../secret.txt", "notdir"],
  ["mnt/data/own.txt/", "notdir"],
  ["mnt/data/pipe", "perm"],
  ["mnt/data/OWN.TXT\0", "inval"],
  ["mnt/data/own.txt\0/../../secret.txt", "inval"],
  [`mnt/data/${"x".repeat(256)}`, "nametoolong"],
  [`mnt/data/${"é".repeat(128)}`, "nametoolong"],
  [`mnt/data/${"d/".repeat(3_000)}own.txt`, "nametoolong"],
  ["mnt/data/..%2fsecret.txt", "noent"],
  ["mnt/data/..\\secret.txt", "noent"],
  ["mnt/data/．．/secret.txt", "noent"],
  ["mnt/data/‥/secret.txt", "noent"],
  ["mnt/data/sub/.. /secret.txt", "noent"],
  ["mnt/data/own.txt.", "noent"],
  ["mnt/data/own.txt::$DATA", "noent"],
  ["mnt/data/C:/secret.txt", "noent"],
  ["mnt/data/CON", "noent"],
];

test("no path leads out of a mounted folder", () => {
  const { outside, inside } = trap();
  using _ = outside;
  const guest = mountedGuest(inside);
  for (const [path, ...errnos] of LEADS_OUT) {
    const errno = guest.opens(path);
    assert.ok(errnos.some((name) => ERRNO[name] === errno), `${path}: errno ${errno}`);
  }
});

test("no path makes, changes or removes anything out of a mounted folder", () => {
  const { outside, inside } = trap();
  using _ = outside;
  const guest = mountedGuest(inside);
  for (const [path] of LEADS_OUT.filter(([each]) => each.startsWith("mnt/") && /\.\.|up|to-|chain/.test(each))) {
    guest.opens(path, { oflags: 1 | 8, rights: READ | WRITE });
    guest.call("path_unlink_file", ROOT_FD, ...guest.path(`${path}/`));
    guest.call("path_create_directory", ROOT_FD, ...guest.path(`${path}/made`));
    guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data/own.txt"), ROOT_FD, ...guest.path(`${path}/moved`));
    guest.call("path_symlink", ...guest.path("/etc"), ROOT_FD, ...guest.path(`${path}/link`));
    guest.call("path_link", ROOT_FD, 1, ...guest.path(path), ROOT_FD, ...guest.path("mnt/data/taken"));
    guest.call("path_filestat_set_times", ROOT_FD, 1, ...guest.path(path), 0n, 0n, 5);
  }
  assert.deepEqual(readdirSync(outside.path).toSorted(), ["data", "secret.txt"]);
  assert.equal(readFileSync(join(outside.path, "secret.txt"), "utf8"), SECRET);
});

test("links that stay inside are followed, relative and absolute", () => {
  const { outside, inside } = trap();
  using _ = outside;
  const guest = mountedGuest(inside, { writable: false });
  for (const path of ["to-own", "to-own-absolute", "to-own-around"]) assert.equal(contentOf(guest, `mnt/data/${path}`), "own", path);
});

test("a descriptor of a folder is no way out of it", () => {
  const { outside, inside } = trap();
  using _ = outside;
  const guest = mountedGuest(inside);
  const fd = guest.open("mnt/data/sub", { oflags: 2 });
  for (const path of ["..", "../own.txt", "../../secret.txt", "/mnt/data/own.txt", "/etc/passwd"]) {
    assert.equal(guest.opens(path, { fd }), ERRNO.perm, path);
  }
  assert.equal(guest.opens("own.txt", { fd }), 0);
});

test("the guest can make no link, hard or symbolic, in a mounted folder, nor out of it", () => {
  const { outside, inside } = trap();
  using _ = outside;
  const guest = mountedGuest(inside);
  assert.equal(guest.call("path_symlink", ...guest.path("/etc"), ROOT_FD, ...guest.path("mnt/data/l")), ERRNO.perm);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("mnt/data/own.txt"), ROOT_FD, ...guest.path("mnt/data/l")), ERRNO.perm);
  assert.equal(guest.call("path_link", ROOT_FD, 0, ...guest.path("mnt/data/own.txt"), ROOT_FD, ...guest.path("work/l")), ERRNO.xdev);
  assert.ok(!existsSync(join(inside, "l")));
});

test("a hard link in the folder is a file of the folder", () => {
  const { outside, inside } = trap();
  using _ = outside;
  linkSync(join(outside.path, "secret.txt"), join(inside, "granted.txt"));
  assert.equal(contentOf(mountedGuest(inside), "mnt/data/granted.txt"), SECRET);
});

test("what another file system shows of the system itself is not there", { skip: process.platform !== "linux" }, () => {
  const guest = mountedGuest("/", { writable: false });
  for (const path of ["proc/self/environ", "proc/version", "sys/kernel/mm", "proc"]) assert.equal(guest.opens(`mnt/data/${path}`), ERRNO.noent, path);
  for (const path of ["dev/null", "dev/zero", "dev/full"]) assert.equal(guest.opens(`mnt/data/${path}`), ERRNO.perm, path);
  assert.equal(guest.opens("mnt/data/etc/passwd"), 0);
  assert.throws(() => resolveFolders([{ host: "/proc/self", guest: "/mnt/self", writable: false }]), { code: "REFUSED" });
});

test("names that mean something else to Windows are refused there", () => {
  const names = ["CON", "con.txt", "NUL", "aux.c", "COM1", "LPT9.log", "com¹", "a:b", "C:", "file::$DATA", "a\\b", "..\\x", "dot.", "space ", "a?", "a*", "<", "|", '"'];
  for (const name of names) assert.throws(() => checkName(name, "win32"), { name: "WasiFault" }, name);
  for (const name of ["", ".", "..", "a/b", "a\0", "\ud800"]) assert.throws(() => checkName(name, "linux"), { name: "WasiFault" });
  for (const name of ["console.txt", "a.b", "…", "ÄÖ", "nulls"]) checkName(name, "win32");
});
