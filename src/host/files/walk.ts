import { refuse } from "../errno.ts";
import { CAPS } from "./caps.ts";
import { type AnyFolder, type DirectoryNode, type FileNode, isFolder, type TreeNode } from "./node.ts";
import type { FileTree } from "./tree.ts";

/** Where a path leads: a name in a directory, and what is there now. */
export interface Place {
  /** Undefined when the path names no entry but a directory itself (".", "..", "/"). */
  readonly parent: AnyFolder | undefined;
  readonly name: string;
  readonly node: TreeNode | undefined;
  /** The path ended in a slash: whatever is there has to be a directory. */
  readonly slash: boolean;
}

/**
 * Follows a path from a directory. A symlink at the end is followed when `follow` says so, or when
 * a slash comes after it; one with an absolute target goes on at the guest's root.
 * @throws WasiFault noent, notdir, loop, nametoolong; perm when `..` would leave `start`.
 */
export function walk(tree: FileTree, start: AnyFolder, path: string, follow: boolean): Place {
  if (path === "") refuse("noent");
  const stack = [start];
  const todo = split(path);
  let slash = endsInSlash(path);
  let links = 0;
  let top = start;
  if (path.startsWith("/")) stack[0] = top = rooted(tree, start);

  for (;;) {
    const name = todo.pop();
    if (name === undefined) return { parent: undefined, name: ".", node: top, slash };
    if (name === "..") {
      if (stack.length > 1) stack.pop();
      else if (top.ino !== tree.root.ino) refuse("perm");
      top = stack[stack.length - 1] ?? start;
      continue;
    }
    if (isTooLong(name)) refuse("nametoolong");
    const node = look(top, name);
    const isLast = todo.length === 0;
    if (node?.kind === "symlink" && (!isLast || follow || slash)) {
      links += 1;
      if (links > CAPS.symlinks) refuse("loop");
      if (isLast) slash = slash || endsInSlash(node.target);
      todo.push(...split(node.target));
      if (node.target.startsWith("/")) {
        stack.length = 0;
        stack.push(tree.root);
        top = tree.root;
      }
      continue;
    }
    if (isLast) return { parent: top, name, node, slash };
    if (node === undefined) refuse("noent");
    top = isFolder(node) ? node : node.kind === "file" ? enter(node, todo) : refuse("notdir");
    stack.push(top);
  }
}

function look(folder: AnyFolder, name: string): TreeNode | undefined {
  return folder.kind === "mountedFolder" ? folder.mount.look(folder, name) : folder.entries.get(name)?.node;
}

/** Names still to be followed, the next one last. */
function split(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".").reverse();
}

function endsInSlash(path: string): boolean {
  return path.endsWith("/") || path.endsWith("/.");
}

/** Absolute paths are for who holds the root: another descriptor is no way around its directory. */
function rooted(tree: FileTree, start: AnyFolder): AnyFolder {
  return start.ino === tree.root.ino ? start : refuse("perm");
}

function isTooLong(name: string): boolean {
  if (name.length * 3 <= CAPS.nameBytes) return false;
  return name.length > CAPS.nameBytes || new TextEncoder().encode(name).length > CAPS.nameBytes;
}

/** A file is a directory to those names alone that its overlay is mounted at. */
function enter(file: FileNode, todo: string[]): DirectoryNode {
  const names = file.overlay?.names ?? [];
  if (file.overlay === undefined || names.some((name, at) => todo[todo.length - 1 - at] !== name)) refuse("notdir");
  todo.length -= names.length;
  return file.overlay.folder;
}
