import {
  addEntry,
  DEVICES,
  type DeviceNode,
  type DirectoryNode,
  emptyDirectory,
  type FileNode,
  inode,
  type Overlay,
  type TreeNode,
} from "./node.ts";
import type { Mount } from "./mount.ts";
import type { MountedFolder } from "./node.ts";
import type { Pack } from "./pack.ts";

/** A read-only file, served from the caller's bytes without copying them. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** A folder that appears at this path beneath the file. */
  readonly folder?: { readonly path: string; readonly pack: Pack };
}

/** The read-only lower layer of every file tree; built once, shared by all trees of a thread. */
export interface BaseLayer {
  /** What the root holds besides the tree's own mutable folders. */
  readonly root: DirectoryNode;
  /** Every sealed node by its number: the same numbers each time for the same mounts. */
  readonly nodes: ReadonlyMap<number, TreeNode>;
  /** The folders of the machine, by their place. */
  readonly mounts: ReadonlyMap<string, Mount>;
}

export const ROOT_INO = 1;
const FIRST_BASE_INO = 16;
// Fixed, so that an image made at build time and a run a year later see the same files.
const BASE_TIME = 0n;

/** Builds the lower layer: `/dev` with the few devices that programs expect, the mounted files, and folders of the machine. */
export function createBaseLayer(files: readonly PackedFile[], folders: readonly MountedFolder[] = []): BaseLayer {
  const nodes = new Map<number, TreeNode>();
  let nextIno = FIRST_BASE_INO;
  const keep = <T extends TreeNode>(node: T): T => {
    nodes.set(node.ino, node);
    return node;
  };
  const number = (): number => nextIno++;

  const root = keep(emptyDirectory(inode(ROOT_INO, true, BASE_TIME)));
  const directoryAt = (from: DirectoryNode, names: readonly string[]): DirectoryNode =>
    names.reduce((directory, name) => {
      const found = directory.entries.get(name)?.node;
      if (found?.kind === "directory") return found;
      const made = keep(emptyDirectory(inode(number(), true, BASE_TIME)));
      addEntry(directory, name, made);
      return made;
    }, from);
  const file = (bytes: Uint8Array, overlay?: Overlay): FileNode => {
    const node = { ...inode(number(), true, BASE_TIME), kind: "file", data: bytes, size: bytes.length, shared: true } as const;
    return keep(overlay === undefined ? node : { ...node, overlay });
  };
  const folder = (pack: Pack): DirectoryNode => {
    const top = keep(emptyDirectory(inode(number(), true, BASE_TIME)));
    for (const [path, bytes] of pack) {
      const { directories, name } = split(path);
      addEntry(directoryAt(top, directories), name, file(bytes));
    }
    return top;
  };

  const devices = directoryAt(root, ["dev"]);
  for (const device of DEVICES) {
    const node: DeviceNode = { ...inode(number(), true, BASE_TIME), kind: "device", device };
    addEntry(devices, device, keep(node));
  }
  for (const mount of files) {
    const { directories, name } = split(mount.path);
    const overlay = mount.folder && { names: names(mount.folder.path), folder: folder(mount.folder.pack) };
    addEntry(directoryAt(root, directories), name, file(mount.bytes, overlay));
  }
  // Last, so that the numbers before are the same whatever is granted.
  for (const mounted of folders) {
    const { directories, name } = split(mounted.mount.guest);
    addEntry(directoryAt(root, directories), name, mounted);
  }
  return { root, nodes, mounts: new Map(folders.map(({ mount }) => [mount.guest, mount])) };
}

function names(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function split(path: string): { directories: string[]; name: string } {
  const directories = names(path);
  const name = directories.pop() ?? "";
  return { directories, name };
}
