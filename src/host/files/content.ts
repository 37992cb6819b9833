import { refuse } from "../errno.ts";
import type { AnyFile, FileNode } from "./node.ts";
import { charge, type FileTree, touch } from "./tree.ts";

/** The size of a file as it is now. @throws WasiFault noent when a mounted file is gone. */
export function sizeOf(node: AnyFile): number {
  if (node.kind === "file") return node.size;
  const now = node.mount.refresh(node);
  return now.kind === "mountedFile" ? now.size : refuse("isdir");
}

/** Copies from a file at `offset` into `into`; the count of bytes copied, 0 at the end. */
export function readContent(node: AnyFile, offset: number, into: Uint8Array): number {
  if (node.kind === "mountedFile") return node.mount.read(node, offset, into);
  const count = Math.min(into.length, node.size - offset);
  if (count <= 0) return 0;
  into.set(node.data.subarray(offset, offset + count));
  return count;
}

/**
 * Writes at `offset`, filling a gap before it with zeros.
 * @throws WasiFault nospc at the byte limit, before anything is written.
 */
export function writeContent(tree: FileTree, node: AnyFile, offset: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  if (node.kind === "mountedFile") return node.mount.write(node, offset, bytes);
  const end = offset + bytes.length;
  makeRoom(tree, node, end);
  node.data.set(bytes, offset);
  if (end > node.size) node.size = end;
  touch(tree, node);
}

/**
 * Cuts or extends a file; what is added reads as zeros and is charged in full.
 * @throws WasiFault nospc at the byte limit.
 */
export function resizeContent(tree: FileTree, node: AnyFile, size: number): void {
  if (node.kind === "mountedFile") return node.mount.resize(node, size);
  if (size > node.size) makeRoom(tree, node, size);
  else shrink(tree, node, size);
  node.size = size;
  touch(tree, node);
}

/** Makes the content ours to write, with a capacity of at least `size` bytes. */
function makeRoom(tree: FileTree, node: FileNode, size: number): void {
  if (size > node.size) charge(tree, size - node.size);
  if (size <= node.data.length && !node.shared) return;
  // Never more than twice what was charged, so that the quota bounds the host's memory too.
  const capacity = size <= node.size ? node.size : Math.max(size, Math.min(node.size * 2, tree.quota.limit));
  try {
    const data = new Uint8Array(capacity);
    data.set(node.data.subarray(0, node.size));
    node.data = data;
    node.shared = false;
  } catch {
    if (size > node.size) tree.quota.used -= size - node.size;
    refuse("nomem");
  }
}

function shrink(tree: FileTree, node: FileNode, size: number): void {
  tree.quota.used -= node.size - size;
  if (node.shared || node.data.length > size * 2) {
    node.data = node.data.slice(0, size);
    node.shared = false;
  } else {
    node.data.fill(0, size, node.size);
  }
}
