import { refuse } from "../errno.ts";
import { directoryOf } from "../files/descriptors.ts";
import * as entries from "../files/entries.ts";
import { openPlace } from "../files/open.ts";
import { isFolder, type TreeNode } from "../files/node.ts";
import { type Place, walk } from "../files/walk.ts";
import { LOOKUP_FOLLOW } from "../preview1.ts";
import type { WasiContext } from "./context.ts";
import { setTimes, writeFilestat } from "./filestat.ts";
import type { Pointers } from "./pointers.ts";

const MAX_RIGHTS_BITS = 30;

/** The calls on a path beneath a directory's descriptor. */
export function pathFunctions(context: WasiContext, guest: Pointers) {
  const place = (fd: number, pathAt: number, length: number, follow: boolean): Place =>
    walk(context.files.tree, directoryOf(context.files, fd), guest.path(pathAt, length), follow);
  const existing = (fd: number, flags: number, pathAt: number, length: number): TreeNode => {
    const { node, slash } = place(fd, pathAt, length, follows(flags));
    if (node === undefined) refuse("noent");
    return slash && !isFolder(node) ? refuse("notdir") : node;
  };

  return {
    path_create_directory(fd: number, pathAt: number, length: number): void {
      entries.createDirectory(context.files.tree, place(fd, pathAt, length, false));
    },
    path_filestat_get(fd: number, flags: number, pathAt: number, length: number, statAt: number): void {
      writeFilestat(guest, statAt, existing(fd, flags, pathAt, length));
    },
    path_filestat_set_times(
      fd: number, flags: number, pathAt: number, length: number, accessed: bigint, modified: bigint, fstflags: number,
    ): void {
      setTimes(context.files.tree, existing(fd, flags, pathAt, length), accessed, modified, fstflags);
    },
    path_link(
      oldFd: number, flags: number, oldAt: number, oldLength: number, newFd: number, newAt: number, newLength: number,
    ): void {
      const from = place(oldFd, oldAt, oldLength, follows(flags));
      entries.createHardLink(context.files.tree, from, place(newFd, newAt, newLength, false));
    },
    path_open(
      fd: number, lookup: number, pathAt: number, length: number, oflags: number,
      rights: bigint, inheriting: bigint, fdflags: number, openedAt: number,
    ): void {
      guest.u32(openedAt);
      const descriptor = openPlace(context.files, directoryOf(context.files, fd), {
        path: guest.path(pathAt, length),
        follow: follows(lookup),
        oflags,
        fdflags,
        rights: Number(BigInt.asUintN(MAX_RIGHTS_BITS, rights)),
        inheriting: Number(BigInt.asUintN(MAX_RIGHTS_BITS, inheriting)),
      });
      guest.setU32(openedAt, context.files.open(descriptor));
    },
    path_readlink(fd: number, pathAt: number, length: number, bufferAt: number, size: number, usedAt: number): void {
      const { node } = place(fd, pathAt, length, false);
      if (node === undefined) refuse("noent");
      if (node.kind !== "symlink") refuse("inval");
      const buffer = guest.bytes(bufferAt, size);
      const target = new TextEncoder().encode(node.target).subarray(0, buffer.length);
      buffer.set(target);
      guest.setU32(usedAt, target.length);
    },
    path_remove_directory(fd: number, pathAt: number, length: number): void {
      entries.removeDirectory(context.files.tree, place(fd, pathAt, length, false));
    },
    path_rename(
      oldFd: number, oldAt: number, oldLength: number, newFd: number, newAt: number, newLength: number,
    ): void {
      const from = place(oldFd, oldAt, oldLength, false);
      entries.rename(context.files.tree, from, place(newFd, newAt, newLength, false));
    },
    path_symlink(targetAt: number, targetLength: number, fd: number, pathAt: number, length: number): void {
      entries.createSymlink(context.files.tree, guest.path(targetAt, targetLength), place(fd, pathAt, length, false));
    },
    path_unlink_file(fd: number, pathAt: number, length: number): void {
      entries.removeFile(context.files.tree, place(fd, pathAt, length, false));
    },
  };
}

function follows(lookup: number): boolean {
  return (lookup & LOOKUP_FOLLOW) !== 0;
}
