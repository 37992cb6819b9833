import type { FileId, Mount } from "./mount.ts";
import { inode, type TreeNode } from "./node.ts";

/** A file or folder of a mounted one that a sandbox has open, at rest: opened anew when it is used again. */
export interface SavedMounted {
  /** Where the mounted folder was. */
  readonly guest: string;
  readonly names: readonly string[];
  /** Of a file: which one it is, and how it is used. */
  readonly file?: { readonly id: FileId; readonly access: "read" | "write" };
}

/** Nothing for what is not of a mounted folder. */
export function saveMounted(node: TreeNode): SavedMounted | undefined {
  if (node.kind === "mountedFolder") return { guest: node.mount.guest, names: node.names };
  if (node.kind !== "mountedFile" || node.access === "none") return undefined;
  return { guest: node.mount.guest, names: node.names, file: { id: node.id, access: node.access } };
}

/** The node to be used again; nothing when its folder isn't mounted any more, so that the descriptor is closed. */
export function restoreMounted(mounts: ReadonlyMap<string, Mount>, { guest, names, file }: SavedMounted): TreeNode | undefined {
  const mount = mounts.get(guest);
  if (mount === undefined) return undefined;
  const common = { ...inode(0, !mount.writable, 0n), mount, names };
  if (file === undefined) return { ...common, kind: "mountedFolder" };
  return { ...common, kind: "mountedFile", id: file.id, size: 0, special: false, access: file.access };
}
