import { refuse } from "../errno.ts";
import { isFile, type TreeNode } from "../files/node.ts";
import type { FileTree } from "../files/tree.ts";
import { FILETYPE, FSTFLAGS } from "../preview1.ts";
import type { Pointers } from "./pointers.ts";

const DEVICE_NUMBER = 1n;
const FILESTAT_BYTES = 64;

const FILETYPES = {
  file: FILETYPE.regularFile,
  mountedFile: FILETYPE.regularFile,
  directory: FILETYPE.directory,
  mountedFolder: FILETYPE.directory,
  symlink: FILETYPE.symbolicLink,
  device: FILETYPE.characterDevice,
} as const satisfies Record<TreeNode["kind"], number>;

/** The type of a node of that kind, in a listing. */
export function filetypeOf(kind: TreeNode["kind"]): number {
  return FILETYPES[kind];
}

export function filetype(node: TreeNode): number {
  // A character device would be taken for a terminal (wasi-libc's `isatty`).
  const unknown = (node.kind === "device" && node.device.startsWith("std")) || (node.kind === "mountedFile" && node.special);
  return unknown ? FILETYPE.unknown : FILETYPES[node.kind];
}

/** Writes a node's `filestat`. */
export function writeFilestat(guest: Pointers, at: number, node: TreeNode): void {
  const size = isFile(node) ? node.size : node.kind === "symlink" ? node.target.length : 0;
  const stat = guest.bytes(at, FILESTAT_BYTES);
  const view = new DataView(stat.buffer, stat.byteOffset, FILESTAT_BYTES);
  stat.fill(0);
  view.setBigUint64(0, DEVICE_NUMBER, true);
  view.setBigUint64(8, BigInt(node.ino), true);
  view.setUint8(16, filetype(node));
  view.setBigUint64(24, BigInt(node.links), true);
  view.setBigUint64(32, BigInt(size), true);
  view.setBigUint64(40, node.times.accessed, true);
  view.setBigUint64(48, node.times.modified, true);
  view.setBigUint64(56, node.times.changed, true);
}

/** Sets a node's times as `fstflags` says. @throws WasiFault inval for contradictions, rofs in the lower layer. */
export function setTimes(tree: FileTree, node: TreeNode, accessed: bigint, modified: bigint, flags: number): void {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(FSTFLAGS.atim) && has(FSTFLAGS.atimNow)) refuse("inval");
  if (has(FSTFLAGS.mtim) && has(FSTFLAGS.mtimNow)) refuse("inval");
  if (node.sealed) refuse("rofs");
  const now = tree.now();
  if (node.kind === "mountedFile" || node.kind === "mountedFolder") {
    const given = (set: number, toNow: number, time: bigint): bigint | undefined => (has(toNow) ? now : has(set) ? BigInt.asUintN(64, time) : undefined);
    return node.mount.setTimes(node, given(FSTFLAGS.atim, FSTFLAGS.atimNow, accessed), given(FSTFLAGS.mtim, FSTFLAGS.mtimNow, modified));
  }
  if (has(FSTFLAGS.atim)) node.times.accessed = BigInt.asUintN(64, accessed);
  if (has(FSTFLAGS.atimNow)) node.times.accessed = now;
  if (has(FSTFLAGS.mtim)) node.times.modified = BigInt.asUintN(64, modified);
  if (has(FSTFLAGS.mtimNow)) node.times.modified = now;
  node.times.changed = now;
}
