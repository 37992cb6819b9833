import { CAPS } from "./caps.ts";
import type { DirectoryNode, FileNode } from "./node.ts";
import type { FileTree } from "./tree.ts";
import { walk } from "./walk.ts";

/** A file that was made, written to or moved. */
export interface ChangedFile {
  readonly path: string;
  readonly node: FileNode;
}

/**
 * The files beneath a folder that changed since the tree's `change` was `mark`, in the order of
 * their folders. A folder that was moved or made since brings all its files.
 */
export function changedSince(tree: FileTree, mark: number, folder = "/work"): ChangedFile[] {
  const found: ChangedFile[] = [];
  const top = walk(tree, tree.root, folder, false).node;
  if (top?.kind !== "directory") return found;
  const todo: { directory: DirectoryNode; path: string; moved: boolean }[] = [{ directory: top, path: folder, moved: false }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    for (const { name, node } of next.directory.entries.values()) {
      const path = `${next.path}/${name}`;
      const changed = next.moved || node.change > mark;
      // Deeper than a path can say, nobody could ask for the file.
      if (path.length > CAPS.pathBytes) continue;
      if (node.kind === "directory") todo.push({ directory: node, path, moved: changed });
      else if (node.kind === "file" && changed) found.push({ path, node });
    }
  }
  return found;
}
