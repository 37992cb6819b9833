import { refuse } from "../errno.ts";
import { CAPS } from "./caps.ts";
import { type AnyFile, type AnyFolder, type DirectoryNode, isFolder, type TreeNode } from "./node.ts";
import { attach, detach, type FileTree, newDirectory, newFile, newLink } from "./tree.ts";
import type { Place } from "./walk.ts";

/** A name in a directory that something can be made at or taken from. */
interface Slot {
  readonly parent: AnyFolder;
  readonly name: string;
}

/** @throws WasiFault as `attach` does. */
export function createFile(tree: FileTree, place: Place): AnyFile {
  if (place.slash) refuse("isdir");
  const { parent, name } = vacant(place);
  if (parent.kind === "mountedFolder") return parent.mount.makeFile(parent, name);
  const file = newFile(tree);
  attach(tree, parent, name, file);
  return file;
}

/** @throws WasiFault exist when something is there; as `attach` does. */
export function createDirectory(tree: FileTree, place: Place): void {
  const { parent, name } = vacant(place);
  if (parent.kind === "mountedFolder") return parent.mount.makeFolder(parent, name);
  attach(tree, parent, name, newDirectory(tree));
}

/** @throws WasiFault exist when something is there, noent for an empty target, perm in a mounted folder; as `attach` does. */
export function createSymlink(tree: FileTree, target: string, place: Place): void {
  const { parent, name } = vacant(place);
  if (target === "" || place.slash) refuse("noent");
  if (new TextEncoder().encode(target).length > CAPS.pathBytes) refuse("nametoolong");
  // Programs of the machine would follow it, and not in the guest's words.
  if (parent.kind === "mountedFolder") refuse(parent.sealed ? "rofs" : "perm");
  attach(tree, parent, name, newLink(tree, target));
}

/** A second name for a file. @throws WasiFault perm for a directory and in a mounted folder, xdev out of the lower layer. */
export function createHardLink(tree: FileTree, from: Place, to: Place): void {
  const { node } = occupied(from);
  if (isFolder(node)) refuse("perm");
  const { parent, name } = vacant(to);
  if (from.slash) refuse("notdir");
  if (to.slash) refuse("noent");
  if (parent.sealed) refuse("rofs");
  if (node.sealed || isMounted(node) !== isMounted(parent)) refuse("xdev");
  if (parent.kind === "mountedFolder") refuse("perm");
  attach(tree, parent, name, node);
}

/** @throws WasiFault isdir, notdir, noent, rofs. */
export function removeFile(tree: FileTree, place: Place): void {
  const { parent, name, node } = occupied(place);
  if (isFolder(node)) refuse("isdir");
  if (place.slash) refuse("notdir");
  if (parent.sealed) refuse("rofs");
  if (parent.kind === "mountedFolder") return parent.mount.removeFile(parent, name);
  detach(tree, parent, name, node);
}

/** @throws WasiFault notdir, notempty, noent, rofs, inval for ".". */
export function removeDirectory(tree: FileTree, place: Place): void {
  if (place.parent === undefined) refuse("inval");
  const { parent, name, node } = occupied(place);
  if (!isFolder(node)) refuse("notdir");
  if (parent.sealed) refuse("rofs");
  if (parent.kind === "mountedFolder") return parent.mount.removeFolder(parent, name);
  if (node.kind !== "directory" || node.entries.size > 0) refuse("notempty");
  detach(tree, parent, name, node);
}

/** Moves a name, over what is at the new place if that is of the same kind and empty. */
export function rename(tree: FileTree, from: Place, to: Place): void {
  if (from.parent === undefined || to.parent === undefined) refuse("inval");
  const source = occupied(from);
  if (source.parent.sealed || to.parent.sealed) refuse("rofs");
  if (!isFolder(source.node) && (from.slash || to.slash)) refuse("notdir");
  if (source.parent.kind === "mountedFolder" || to.parent.kind === "mountedFolder") return renameMounted(source, { parent: to.parent, name: to.name });
  if (source.node.kind === "directory" && isBeneath(to.parent, source.node)) refuse("inval");
  if (to.node === source.node) return;
  if (to.parent.links === 0) refuse("noent");
  if (to.node !== undefined) {
    replaceable(source.node, to.node);
    detach(tree, to.parent, to.name, to.node);
  }
  // Held, or a file's content would go with its only name.
  source.node.opens += 1;
  detach(tree, source.parent, source.name, source.node);
  attach(tree, to.parent, to.name, source.node);
  source.node.opens -= 1;
}

/** The machine moves its own; from one mount to another, and to memory, nothing is moved but copied. */
function renameMounted(from: Slot, to: Slot): void {
  if (from.parent.kind !== "mountedFolder" || to.parent.kind !== "mountedFolder") refuse("xdev");
  const { mount } = from.parent;
  if (mount !== to.parent.mount) refuse("xdev");
  mount.rename(from.parent, from.name, to.parent, to.name);
}

function replaceable(source: TreeNode, target: TreeNode): void {
  if (isFolder(target)) {
    if (target.kind !== "directory") refuse("xdev");
    if (source.kind !== "directory") refuse("isdir");
    if (target.entries.size > 0) refuse("notempty");
  } else if (source.kind === "directory") refuse("notdir");
}

function isBeneath(directory: DirectoryNode, ancestor: DirectoryNode): boolean {
  for (let at: DirectoryNode | undefined = directory; at !== undefined; at = at.parent) {
    if (at === ancestor) return true;
  }
  return false;
}

function vacant(place: Place): Slot {
  if (place.parent === undefined || place.node !== undefined) refuse("exist");
  return { parent: place.parent, name: place.name };
}

function occupied(place: Place): Slot & { readonly node: TreeNode } {
  if (place.node === undefined) refuse("noent");
  if (place.parent === undefined) refuse(place.node.kind === "directory" ? "isdir" : "inval");
  return { parent: place.parent, name: place.name, node: place.node };
}

function isMounted({ kind }: TreeNode): boolean {
  return kind === "mountedFile" || kind === "mountedFolder";
}
