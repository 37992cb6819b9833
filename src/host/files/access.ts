import { refuse } from "../errno.ts";
import { readContent, resizeContent, sizeOf, writeContent } from "./content.ts";
import { createDirectory, createFile } from "./entries.ts";
import { isFile, type MountedFile } from "./node.ts";
import type { FileTree } from "./tree.ts";
import { walk } from "./walk.ts";

/**
 * The bytes of a file, as the host reads them; a copy, the caller's to keep, of at most `most` bytes.
 * @throws WasiFault noent, isdir, notdir, loop, nomem when there are more, fbig when nobody can take so many.
 */
export function readFile(tree: FileTree, path: string, most = Infinity): Uint8Array<ArrayBuffer> {
  const { node } = walk(tree, tree.root, path, true);
  if (node === undefined) refuse("noent");
  if (isFile(node) && node.size > most) refuse("nomem");
  if (node.kind === "mountedFile") return using(node, "read", () => readMounted(node, most));
  return node.kind === "file" ? node.data.slice(0, node.size) : refuse("isdir");
}

/** More would not fit into a text of the host's, nor well into a guest. */
const MOST_BYTES = 256 * 1_024 * 1_024;

/** Opens a mounted file for one thing alone. */
export function using<Value>(file: MountedFile, access: "read" | "write", act: () => Value): Value {
  file.access = access;
  file.mount.open(file);
  try {
    return act();
  } finally {
    file.mount.close(file);
  }
}

function readMounted(file: MountedFile, most: number): Uint8Array<ArrayBuffer> {
  const size = sizeOf(file);
  if (size > MOST_BYTES) refuse("fbig");
  // It may have grown since it was looked at.
  if (size > most) refuse("nomem");
  const bytes = new Uint8Array(size);
  let done = 0;
  for (let count = -1; count !== 0 && done < size; done += count) count = readContent(file, done, bytes.subarray(done));
  return bytes.subarray(0, done);
}

/**
 * Writes a whole file from the host's side, with the folders that lead to it; quota and
 * read-only layer hold as for the guest.
 * @throws WasiFault nospc, rofs, isdir, notdir, nametoolong, loop.
 */
export function writeFile(tree: FileTree, path: string, bytes: Uint8Array): void {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const place = walk(tree, tree.root, names.slice(0, depth).join("/") || "/", true);
    if (place.node === undefined) createDirectory(tree, place);
  }
  const place = walk(tree, tree.root, path, true);
  const node = place.node ?? createFile(tree, place);
  if (!isFile(node)) refuse("isdir");
  if (node.sealed) refuse("rofs");
  resizeContent(tree, node, 0);
  writeContent(tree, node, 0, bytes);
}
