import { refuse } from "../errno.ts";
import { type BaseLayer, ROOT_INO } from "./base-layer.ts";
import { CAPS } from "./caps.ts";
import { addEntry, type DirectoryNode, emptyDirectory, type FileNode, inode, type LinkNode, type TreeNode } from "./node.ts";

/** One sandbox's files: a shared read-only lower layer, and `/tmp` and `/work` in memory above it. */
export interface FileTree {
  readonly base: BaseLayer;
  readonly root: DirectoryNode;
  readonly now: () => bigint;
  /** Bytes that content and names may use together, and do. */
  readonly quota: { readonly limit: number; used: number };
  /** Grows with every change; what a node's `change` is compared with. */
  change: number;
  nextIno: number;
}

export interface TreeOptions {
  readonly base: BaseLayer;
  /** Bytes that all files together may use, names included. */
  readonly fileBytes: number;
  /** Nanoseconds since 1970. */
  readonly now: () => bigint;
}

/** The folders that a guest can write to, directly beneath the root. */
export const MUTABLE_FOLDERS = ["tmp", "work"] as const;
const FIRST_MUTABLE_INO = 1_000_000;

/** A tree with empty `/tmp` and `/work`. Cheap: the lower layer is not copied. */
export function createFileTree(options: TreeOptions): FileTree {
  const tree = emptyTree(options);
  for (const name of MUTABLE_FOLDERS) {
    const folder = newDirectory(tree);
    folder.links = 1;
    addEntry(tree.root, name, folder);
  }
  return tree;
}

/** A tree without its mutable folders, for who brings them along. */
export function emptyTree({ base, fileBytes, now }: TreeOptions): FileTree {
  const root = emptyDirectory(inode(ROOT_INO, true, base.root.times.modified));
  for (const entry of base.root.entries.values()) addEntry(root, entry.name, entry.node);
  return { base, root, now, quota: { limit: fileBytes, used: 0 }, change: 0, nextIno: FIRST_MUTABLE_INO };
}

/** @throws WasiFault nospc when that many bytes more would pass the limit. */
export function charge(tree: FileTree, bytes: number): void {
  if (tree.quota.used + bytes > tree.quota.limit) refuse("nospc");
  tree.quota.used += bytes;
}

/** Notes that a file's content or a directory's list of names changed. */
export function touch(tree: FileTree, node: TreeNode): void {
  const now = tree.now();
  node.times.modified = now;
  node.times.changed = now;
  // A directory counts as changed when it moved, or all beneath it would with each new name.
  if (node.kind !== "directory") mark(tree, node);
}

function mark(tree: FileTree, node: TreeNode): void {
  tree.change += 1;
  node.change = tree.change;
}

export function newFile(tree: FileTree): FileNode {
  return { ...inode(tree.nextIno++, false, tree.now()), kind: "file", data: new Uint8Array(0), size: 0, shared: false };
}

export function newDirectory(tree: FileTree): DirectoryNode {
  return emptyDirectory(inode(tree.nextIno++, false, tree.now()));
}

export function newLink(tree: FileTree, target: string): LinkNode {
  return { ...inode(tree.nextIno++, false, tree.now()), kind: "symlink", target };
}

/** What a node's content weighs against the quota. */
function weight(node: TreeNode): number {
  if (node.kind === "file") return node.size;
  return node.kind === "symlink" ? node.target.length : 0;
}

/**
 * Gives a node a name. A new node's content is charged with it.
 * @throws WasiFault rofs in the lower layer, noent in a removed directory, nospc at the limit.
 */
export function attach(tree: FileTree, parent: DirectoryNode, name: string, node: TreeNode): void {
  if (parent.sealed) refuse("rofs");
  if (parent.links === 0) refuse("noent");
  const isNew = node.links === 0 && node.opens === 0;
  charge(tree, CAPS.entryBytes + (isNew ? weight(node) : 0));
  addEntry(parent, name, node);
  node.links += 1;
  if (node.kind === "directory") node.parent = parent;
  touch(tree, parent);
  mark(tree, node);
  node.times.changed = parent.times.changed;
}

/** Takes a name away; the content goes with the last name, or with the last descriptor if later. */
export function detach(tree: FileTree, parent: DirectoryNode, name: string, node: TreeNode): void {
  parent.entries.delete(name);
  tree.quota.used -= CAPS.entryBytes;
  node.links -= 1;
  node.times.changed = tree.now();
  touch(tree, parent);
  release(tree, node);
}

/** Gives back what a node weighs, once neither a name nor a descriptor leads to it. */
export function release(tree: FileTree, node: TreeNode): void {
  if (node.sealed || node.links > 0 || node.opens > 0) return;
  tree.quota.used -= weight(node);
  if (node.kind === "file") {
    node.data = new Uint8Array(0);
    node.size = 0;
  }
}
