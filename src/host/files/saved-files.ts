import { BelljarError } from "../../base/errors.ts";
import { type Descriptor, type Descriptors, emptyDescriptors } from "./descriptors.ts";
import { addEntry, type DirectoryNode, type Times, type TreeNode } from "./node.ts";
import { restoreMounted, saveMounted, type SavedMounted } from "./saved-mounts.ts";
import { emptyTree, MUTABLE_FOLDERS, type TreeOptions } from "./tree.ts";

/**
 * A sandbox's files at rest, open ones included: plain data that can be cloned, sent and stored.
 * Content is not copied, but written to by nobody from then on: a fork costs its nodes alone.
 */
export interface SavedFiles {
  readonly nodes: readonly SavedNode[];
  /** The numbers of the mutable folders, by name. */
  readonly folders: readonly (readonly [name: string, ino: number])[];
  readonly open: readonly (readonly [fd: number, ino: number, descriptor: SavedDescriptor])[];
  /** What is open in mounted folders. */
  readonly mounted?: readonly (readonly [fd: number, node: SavedMounted, descriptor: SavedDescriptor])[];
  readonly used: number;
  readonly change: number;
  readonly nextIno: number;
}

type SavedDescriptor = Omit<Descriptor, "node">;

interface SavedInode {
  readonly ino: number;
  readonly times: Times;
  readonly links: number;
  readonly change: number;
}

type SavedNode = SavedInode &
  (
    | { readonly kind: "file"; readonly bytes: Uint8Array }
    | { readonly kind: "symlink"; readonly target: string }
    | {
        readonly kind: "directory";
        readonly parent: number | undefined;
        readonly nextCookie: number;
        readonly entries: readonly (readonly [name: string, ino: number, cookie: number])[];
      }
  );

/** What the tree and the table hold now; both go on being used, and copy what they write to. */
export function saveFiles(files: Descriptors): SavedFiles {
  const { tree } = files;
  const folders = MUTABLE_FOLDERS.flatMap((name) => tree.root.entries.get(name) ?? []);
  const all = [...files.entries()];
  const open = all.filter(([, { node }]) => saveMounted(node) === undefined);
  const mounted = all.flatMap(([fd, { node, ...descriptor }]) => {
    const saved = saveMounted(node);
    return saved === undefined ? [] : [[fd, saved, descriptor] as const];
  });
  const todo = [...folders.map(({ node }) => node), ...open.map(([, { node }]) => node)];
  const seen = new Map<number, SavedNode>();
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (node.sealed || seen.has(node.ino)) continue;
    const saved = saveNode(node);
    if (saved !== undefined) seen.set(node.ino, saved);
    if (node.kind === "directory") for (const entry of node.entries.values()) todo.push(entry.node);
  }
  return {
    nodes: [...seen.values()],
    folders: folders.map(({ name, node }) => [name, node.ino]),
    open: open.map(([fd, { node, ...descriptor }]) => [fd, node.ino, descriptor]),
    ...(mounted.length > 0 && { mounted }),
    used: tree.quota.used,
    change: tree.change,
    nextIno: tree.nextIno,
  };
}

/**
 * A tree and a table of their own, as they were saved.
 * @throws BelljarError BAD_IMAGE when the data does not hold together, or another lower layer was beneath it.
 */
export function restoreFiles(options: TreeOptions, saved: SavedFiles): Descriptors {
  const tree = emptyTree(options);
  const nodes = new Map<number, TreeNode>(saved.nodes.map((node) => [node.ino, restoreNode(node)]));
  const find = (ino: number): TreeNode => {
    const node = ino === tree.root.ino ? tree.root : (nodes.get(ino) ?? options.base.nodes.get(ino));
    if (node === undefined) throw new BelljarError("BAD_IMAGE", `the saved files lack their node ${ino}`);
    return node;
  };
  for (const node of saved.nodes) {
    const made = find(node.ino);
    if (node.kind !== "directory" || made.kind !== "directory") continue;
    for (const [name, ino, cookie] of node.entries) made.entries.set(name, { name, node: find(ino), cookie });
    made.parent = node.parent === undefined ? undefined : parentOf(nodes.get(node.parent));
  }
  for (const [name, ino] of saved.folders) addEntry(tree.root, name, find(ino));
  tree.change = saved.change;
  tree.nextIno = saved.nextIno;
  tree.quota.used = saved.used;
  const open = saved.open.map(([fd, ino, descriptor]) => [fd, { ...descriptor, node: find(ino) }] as const);
  const mounted = (saved.mounted ?? []).flatMap(([fd, node, descriptor]) => {
    const found = restoreMounted(options.base.mounts, node);
    return found === undefined ? [] : [[fd, { ...descriptor, node: found }] as const];
  });
  return emptyDescriptors(tree, [...open, ...mounted].sort(([one], [other]) => one - other));
}

function saveNode(node: TreeNode): SavedNode | undefined {
  const common = { ino: node.ino, times: { ...node.times }, links: node.links, change: node.change };
  switch (node.kind) {
    case "file":
      node.shared = true;
      return { ...common, kind: "file", bytes: node.data.subarray(0, node.size) };
    case "symlink":
      return { ...common, kind: "symlink", target: node.target };
    case "directory": {
      const entries = [...node.entries.values()].map(({ name, node: { ino }, cookie }) => [name, ino, cookie] as const);
      return { ...common, kind: "directory", parent: node.parent?.ino, nextCookie: node.nextCookie, entries };
    }
    case "device":
    case "mountedFile":
    case "mountedFolder":
      return undefined;
  }
}

function restoreNode({ ino, times, links, change, ...rest }: SavedNode): TreeNode {
  const common = { ino, sealed: false, times: { ...times }, links, opens: 0, change };
  switch (rest.kind) {
    case "file":
      return { ...common, kind: "file", data: rest.bytes, size: rest.bytes.length, shared: true };
    case "symlink":
      return { ...common, kind: "symlink", target: rest.target };
    case "directory":
      return { ...common, kind: "directory", entries: new Map(), parent: undefined, nextCookie: rest.nextCookie };
  }
}

function parentOf(node: TreeNode | undefined): DirectoryNode | undefined {
  return node?.kind === "directory" ? node : undefined;
}
