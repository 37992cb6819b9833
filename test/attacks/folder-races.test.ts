import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { OUT, READ, ROOT_FD, type TestGuest, WRITE } from "../host/wasi/guest.ts";
import { mountedGuest, realFolder } from "../host/mounts/mounted.ts";

const ROUNDS = 4_000;
const SECRET = "not for the guest";
const EXCHANGER = join(import.meta.dirname, "exchanger.ts");
const options = { skip: process.platform !== "linux" && "only Linux has a way to open that nobody can exchange" };

/** A folder in which another process exchanges, all the while, a folder and a file for links that lead out. */
async function exchanged(act: (inside: string) => void): Promise<{ outside: readonly string[]; secret: string }> {
  using folder = realFolder();
  const outside = join(folder.path, "outside");
  const inside = join(folder.path, "inside");
  for (const path of [outside, join(inside, "sub")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, "file.txt"), SECRET);
  writeFileSync(join(inside, "sub/file.txt"), "own");
  writeFileSync(join(inside, "file.txt"), "own");
  const stop = join(folder.path, "stop");
  const other = spawn(process.execPath, [EXCHANGER, stop, join(inside, "sub"), outside, join(inside, "file.txt"), join(outside, "file.txt")]);
  let said = "";
  other.stderr.on("data", (bytes) => (said += String(bytes)));
  await once(other.stdout, "data");
  act(inside);
  assert.equal(other.exitCode, null, said);
  writeFileSync(stop, "");
  await once(other, "exit");
  return { outside: readdirSync(outside), secret: readFileSync(join(outside, "file.txt"), "utf8") };
}

/** What a path holds, or undefined when it can't be opened at this moment. */
function read(guest: TestGuest, path: string): string | undefined {
  if (guest.opens(path) !== 0) return undefined;
  const fd = guest.view().getUint32(OUT, true);
  const errno = guest.call("fd_read", fd, ...guest.vector(64), OUT);
  const text = guest.buffer(guest.view().getUint32(OUT, true));
  guest.call("fd_close", fd);
  return errno === 0 ? text : undefined;
}

test("a link put in place between the look and the opening is not followed", options, async () => {
  const seen = new Map<string | undefined, number>();
  await exchanged((inside) => {
    const guest = mountedGuest(inside, { writable: false });
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = read(guest, round % 2 === 0 ? "mnt/data/sub/file.txt" : "mnt/data/file.txt");
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
  });
  assert.ok(!seen.has(SECRET), `read what is outside ${seen.get(SECRET)} times`);
  // Else the race was none.
  assert.ok((seen.get("own") ?? 0) > 0 && (seen.get(undefined) ?? 0) > 0, JSON.stringify([...seen]));
});

test("nothing is made, changed or removed outside, however folders are exchanged for links", options, async () => {
  const { outside, secret } = await exchanged((inside) => {
    const guest = mountedGuest(inside, { writtenBytes: 1e9, madeFiles: 1e9 });
    for (let round = 0; round < ROUNDS / 4; round += 1) {
      for (const path of ["mnt/data/sub/file.txt", "mnt/data/file.txt", `mnt/data/sub/new${round % 7}`]) {
        if (guest.opens(path, { oflags: round % 2 === 0 ? 1 : 1 | 8, rights: READ | WRITE }) !== 0) continue;
        const fd = guest.view().getUint32(OUT, true);
        guest.call("fd_write", fd, ...guest.vector("own"), OUT);
        guest.call("fd_close", fd);
      }
      guest.call("path_create_directory", ROOT_FD, ...guest.path("mnt/data/sub/made"));
      guest.call("path_rename", ROOT_FD, ...guest.path("mnt/data/sub/made"), ROOT_FD, ...guest.path("mnt/data/sub/moved"));
      guest.call("path_remove_directory", ROOT_FD, ...guest.path("mnt/data/sub/moved"));
      guest.call("path_unlink_file", ROOT_FD, ...guest.path("mnt/data/sub/new3"));
      guest.call("path_filestat_set_times", ROOT_FD, 0, ...guest.path("mnt/data/sub/file.txt"), 0n, 0n, 5);
    }
  });
  assert.deepEqual(outside, ["file.txt"]);
  assert.equal(secret, SECRET);
});
