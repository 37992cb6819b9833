import { refuse } from "../errno.ts";
import { resizeContent, writeContent } from "./content.ts";
import { createDirectory, createFile } from "./entries.ts";
import type { FileTree } from "./tree.ts";
import { walk } from "./walk.ts";

/**
 * The bytes of a file, as the host reads them; a copy, the caller's to keep.
 * @throws WasiFault noent, isdir, notdir, loop.
 */
export function readFile(tree: FileTree, path: string): Uint8Array<ArrayBuffer> {
  const { node } = walk(tree, tree.root, path, true);
  if (node === undefined) refuse("noent");
  return node.kind === "file" ? node.data.slice(0, node.size) : refuse("isdir");
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
  if (node.kind !== "file") refuse("isdir");
  if (node.sealed) refuse("rofs");
  resizeContent(tree, node, 0);
  writeContent(tree, node, 0, bytes);
}
