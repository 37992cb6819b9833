import type { FileId, Mount } from "./mount.ts";

/** Nanoseconds since 1970, as WASI's `filestat` has them. */
export interface Times {
  accessed: bigint;
  modified: bigint;
  changed: bigint;
}

interface Inode {
  readonly ino: number;
  /** Sealed nodes belong to the shared lower layer: nothing of them ever changes. */
  readonly sealed: boolean;
  readonly times: Times;
  /** Names that lead here; 0 once the last is gone. */
  links: number;
  /** Descriptors that hold it open. */
  opens: number;
  /** The tree's change count when content, or the name that leads here, was last changed. */
  change: number;
}

export interface FileNode extends Inode {
  readonly kind: "file";
  /** Capacity; only the first `size` bytes are content, the rest is zero. */
  data: Uint8Array;
  size: number;
  /** True when `data` is also somebody else's (a snapshot's): copied before the next write. */
  shared: boolean;
  /** A folder that appears at one exact path beneath the file, as if the file were a directory. */
  readonly overlay?: Overlay;
}

export interface Overlay {
  readonly names: readonly string[];
  readonly folder: DirectoryNode;
}

export interface Entry {
  readonly name: string;
  readonly node: TreeNode;
  /** Grows with each entry of a directory, in the order of the map: `fd_readdir`'s cookies. */
  readonly cookie: number;
}

export interface DirectoryNode extends Inode {
  readonly kind: "directory";
  readonly entries: Map<string, Entry>;
  /** Undefined for sealed directories and for the mutable ones directly beneath the root. */
  parent: DirectoryNode | undefined;
  nextCookie: number;
}

export interface LinkNode extends Inode {
  readonly kind: "symlink";
  readonly target: string;
}

export const DEVICES = ["null", "zero", "urandom", "stdin", "stdout", "stderr"] as const;
export type Device = (typeof DEVICES)[number];

export interface DeviceNode extends Inode {
  readonly kind: "device";
  readonly device: Device;
}

/** A folder of the machine, or one beneath it; made by a lookup, and true for that moment. */
export interface MountedFolder extends Inode {
  readonly kind: "mountedFolder";
  readonly mount: Mount;
  /** Its path beneath the mounted folder; empty for that itself. */
  readonly names: readonly string[];
}

/** A file beneath a mounted folder; made by a lookup, and true for that moment. */
export interface MountedFile extends Inode {
  readonly kind: "mountedFile";
  readonly mount: Mount;
  readonly names: readonly string[];
  readonly id: FileId;
  readonly size: number;
  /** A device, pipe or socket: it is seen, and never opened. */
  readonly special: boolean;
  /** How a descriptor uses it. */
  access: "none" | "read" | "write";
}

export type TreeNode = FileNode | DirectoryNode | LinkNode | DeviceNode | MountedFile | MountedFolder;

/** What has names in it. */
export type AnyFolder = DirectoryNode | MountedFolder;
/** What has content. */
export type AnyFile = FileNode | MountedFile;

export function isFolder(node: TreeNode | undefined): node is AnyFolder {
  return node?.kind === "directory" || node?.kind === "mountedFolder";
}

export function isFile(node: TreeNode | undefined): node is AnyFile {
  return node?.kind === "file" || node?.kind === "mountedFile";
}

/** Cookies 0 and 1 are those of "." and "..". */
export const FIRST_COOKIE = 2;

/** The parts of a node that every kind has. */
export function inode(ino: number, sealed: boolean, now: bigint): Inode {
  return {
    ino,
    sealed,
    times: { accessed: now, modified: now, changed: now },
    links: sealed ? 1 : 0,
    opens: 0,
    change: 0,
  };
}

/** Adds a name, without asking whether that is allowed. */
export function addEntry(directory: DirectoryNode, name: string, node: TreeNode): void {
  directory.entries.set(name, { name, node, cookie: directory.nextCookie });
  directory.nextCookie += 1;
}

export function emptyDirectory(base: Inode): DirectoryNode {
  return { ...base, kind: "directory", entries: new Map(), parent: undefined, nextCookie: FIRST_COOKIE };
}
