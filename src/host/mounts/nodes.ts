import type { BigIntStats } from "node:fs";
import type { Mount } from "../files/mount.ts";
import { inode, type LinkNode, type MountedFile, type MountedFolder } from "../files/node.ts";

/** Beyond the numbers of a sandbox's own nodes, so that none of these is taken for one of those. */
const FIRST_INO = 2n ** 52n;

/** What `statfs` says of file systems that show the system itself: proc, sysfs, devpts, cgroups, debugfs and the like. */
const SYSTEM_FOLDERS: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x1cd1, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11, 0xde5e81e4, 0x42494e4d,
]);

/** True for a kind of file system whose files are no data. */
export function isSystemFolder(type: number): boolean {
  return SYSTEM_FOLDERS.has(type);
}

/** A file or folder as it was found; what is neither is a special file. */
export function nodeOf(mount: Mount, names: readonly string[], stat: BigIntStats): MountedFile | MountedFolder {
  const common = inodeOf(stat, mount.writable);
  if (stat.isDirectory()) return { ...common, kind: "mountedFolder", mount, names };
  return {
    ...common,
    kind: "mountedFile",
    mount,
    names,
    id: { dev: stat.dev, ino: stat.ino },
    size: Number(stat.size),
    special: !stat.isFile(),
    access: "none",
  };
}

export function linkOf(stat: BigIntStats, target: string): LinkNode {
  return { ...inodeOf(stat, false), kind: "symlink", target };
}

function inodeOf(stat: BigIntStats, writable: boolean) {
  return {
    ...inode(Number(FIRST_INO + (stat.ino % FIRST_INO)), !writable, 0n),
    times: { accessed: stat.atimeNs, modified: stat.mtimeNs, changed: stat.ctimeNs },
    links: Number(stat.nlink),
  };
}

/** A link's target in the guest's words: an absolute one beneath the mounted folder is there too. */
export function inGuest(target: string, host: string, guest: string): string {
  if (target === host) return guest;
  return target.startsWith(`${host}/`) ? `${guest}/${target.slice(host.length + 1)}` : target;
}
