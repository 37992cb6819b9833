import { refuse } from "../errno.ts";
import { ALL_RIGHTS, DEVICE_RIGHTS, DIRECTORY_RIGHTS, FILE_RIGHTS, RIGHTS } from "../preview1.ts";
import { CAPS } from "./caps.ts";
import { type AnyFolder, type Device, isFolder, type TreeNode } from "./node.ts";
import { type FileTree, release } from "./tree.ts";
import { walk } from "./walk.ts";

/** One open file, directory or device. */
export interface Descriptor {
  readonly node: TreeNode;
  /** Bytes from the start; what `fd_read` and `fd_write` move. */
  offset: number;
  /** WASI `fdflags`. */
  flags: number;
  readonly rights: number;
  readonly inheriting: number;
  /** The guest's name of a directory that it is given at start. */
  readonly preopen?: string;
}

/** A sandbox's table of open files; numbers are given out lowest first. */
export interface Descriptors {
  readonly tree: FileTree;
  /** @throws WasiFault badf */
  get(fd: number): Descriptor;
  /** @throws WasiFault mfile when no number is free. */
  checkFree(): void;
  /** @throws WasiFault mfile */
  open(descriptor: Descriptor): number;
  /** @throws WasiFault badf */
  close(fd: number): void;
  entries(): Iterable<readonly [fd: number, descriptor: Descriptor]>;
}

/** A table over a tree that holds what `open` names and nothing else. */
export function emptyDescriptors(tree: FileTree, open: Iterable<readonly [number, Descriptor]> = []): Descriptors {
  const table: (Descriptor | undefined)[] = [];
  for (const [fd, descriptor] of open) {
    while (table.length < fd) table.push(undefined);
    table[fd] = descriptor;
    descriptor.node.opens += 1;
  }
  const free = (): number => {
    for (let fd = 0; fd < CAPS.descriptors; fd += 1) if (table[fd] === undefined) return fd;
    return refuse("mfile");
  };
  return {
    tree,
    get: (fd) => table[fd] ?? refuse("badf"),
    checkFree() {
      free();
    },
    open(descriptor) {
      const fd = free();
      table[fd] = descriptor;
      descriptor.node.opens += 1;
      return fd;
    },
    close(fd) {
      const { node } = table[fd] ?? refuse("badf");
      table[fd] = undefined;
      node.opens -= 1;
      if (node.kind === "mountedFile") node.mount.close(node);
      release(tree, node);
    },
    *entries() {
      for (const [fd, descriptor] of table.entries()) if (descriptor !== undefined) yield [fd, descriptor] as const;
    },
  };
}

/** The table a guest starts with: the three standard streams, and one folder as its root (the tree's, unless named). */
export function createDescriptors(tree: FileTree, folder = "/"): Descriptors {
  const { node } = walk(tree, tree.root, folder, true);
  if (node?.kind !== "directory") refuse("notdir");
  const root: Descriptor = { ...opened(node, ALL_RIGHTS, ALL_RIGHTS), preopen: "/" };
  return emptyDescriptors(tree, [
    [0, stream(tree, "stdin", RIGHTS.fdWrite)],
    [1, stream(tree, "stdout", RIGHTS.fdRead)],
    [2, stream(tree, "stderr", RIGHTS.fdRead)],
    [3, root],
  ]);
}

/** A descriptor with those of the asked rights that mean something on its kind of node. */
export function opened(node: TreeNode, rights: number, inheriting: number, flags = 0): Descriptor {
  const possible = isFolder(node) ? DIRECTORY_RIGHTS : node.kind === "device" ? DEVICE_RIGHTS : FILE_RIGHTS;
  return { node, offset: 0, flags, rights: rights & possible, inheriting };
}

function stream(tree: FileTree, device: Device, without: number): Descriptor {
  const { node } = walk(tree, tree.root, `/dev/${device}`, true);
  return opened(node ?? refuse("noent"), DEVICE_RIGHTS & ~without, 0);
}

/** @throws WasiFault badf, notdir */
export function directoryOf(files: Descriptors, fd: number): AnyFolder {
  const { node } = files.get(fd);
  return isFolder(node) ? node : refuse("notdir");
}
