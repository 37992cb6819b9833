import { type DirectoryNode, type Entry, FIRST_COOKIE, type TreeNode } from "./node.ts";

export interface Listed {
  readonly name: string;
  readonly ino: number;
  readonly node: TreeNode;
  /** Where the next entry is found. */
  readonly next: number;
}

// A live iterator of a Map goes on where it was, whatever was deleted or added meanwhile: reading
// a large directory piece by piece stays linear, while its cookies stay true for any order of calls.
const positions = new WeakMap<DirectoryNode, { cookie: number; rest: MapIterator<Entry>; held: Entry | undefined }>();

/** The entries of a directory from a cookie on, "." and ".." first. */
export function* listFrom(directory: DirectoryNode, cookie: number, rootIno: number): Generator<Listed> {
  if (cookie <= 0) yield { name: ".", ino: directory.ino, node: directory, next: 1 };
  if (cookie <= 1) yield { name: "..", ino: directory.parent?.ino ?? rootIno, node: directory, next: FIRST_COOKIE };
  const known = positions.get(directory);
  const position = known?.cookie === cookie ? known : { cookie, rest: directory.entries.values(), held: undefined };
  positions.set(directory, position);
  for (;;) {
    const entry = position.held ?? position.rest.next().value;
    position.held = entry;
    if (entry === undefined) {
      // A finished iterator would not see what is added later.
      positions.delete(directory);
      return;
    }
    if (entry.cookie >= cookie && directory.entries.get(entry.name) === entry) {
      position.cookie = entry.cookie;
      yield { name: entry.name, ino: entry.node.ino, node: entry.node, next: entry.cookie + 1 };
    }
    position.held = undefined;
    position.cookie = entry.cookie + 1;
  }
}
