import type { MountedListing } from "./mount.ts";
import { type AnyFolder, type DirectoryNode, type Entry, FIRST_COOKIE, type MountedFolder, type TreeNode } from "./node.ts";

export interface Listed {
  readonly name: string;
  readonly ino: number;
  readonly kind: TreeNode["kind"];
  /** Where the next entry is found. */
  readonly next: number;
}

// A live iterator of a Map goes on where it was, whatever was deleted or added meanwhile: reading
// a large directory piece by piece stays linear, while its cookies stay true for any order of calls.
const positions = new WeakMap<DirectoryNode, { cookie: number; rest: MapIterator<Entry>; held: Entry | undefined }>();

/** Mounted folders as they were when their listing began, for as long as they are open; the last comes last. */
let listings: { readonly folder: WeakRef<MountedFolder>; readonly names: readonly MountedListing[] }[] = [];
/** So many names are held; of a folder whose names were let go, the rest is read as it is by then. */
const MOST_HELD = 250_000;

function hold(folder: MountedFolder, names: readonly MountedListing[]): void {
  const others = listings.filter((one) => ![folder, undefined].includes(one.folder.deref()));
  listings = [...others, { folder: new WeakRef(folder), names }];
  let held = listings.reduce((sum, one) => sum + one.names.length, 0);
  while (held > MOST_HELD && listings.length > 1) held -= listings.shift()?.names.length ?? 0;
}

/** The entries of a directory from a cookie on, "." and ".." first. */
export function* listFrom(directory: AnyFolder, cookie: number, rootIno: number): Generator<Listed> {
  const { kind } = directory;
  if (cookie <= 0) yield { name: ".", ino: directory.ino, kind, next: 1 };
  if (directory.kind === "mountedFolder") return yield* listMounted(directory, cookie);
  if (cookie <= 1) yield { name: "..", ino: directory.parent?.ino ?? rootIno, kind, next: FIRST_COOKIE };
  yield* listEntries(directory, cookie);
}

function* listMounted(folder: MountedFolder, cookie: number): Generator<Listed> {
  const known = cookie > 0 ? listings.find((one) => one.folder.deref() === folder)?.names : undefined;
  const names = known ?? folder.mount.list(folder);
  if (known === undefined) hold(folder, names);
  if (cookie <= 1) yield { name: "..", ino: folder.ino, kind: folder.kind, next: FIRST_COOKIE };
  for (let at = Math.max(0, cookie - FIRST_COOKIE); at < names.length; at += 1) {
    const entry = names[at];
    // Without its number, which programs that need it ask for by `stat`.
    if (entry !== undefined) yield { name: entry.name, ino: 0, kind: entry.kind, next: at + FIRST_COOKIE + 1 };
  }
}

function* listEntries(directory: DirectoryNode, cookie: number): Generator<Listed> {
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
      yield { name: entry.name, ino: entry.node.ino, kind: entry.node.kind, next: entry.cookie + 1 };
    }
    position.held = undefined;
    position.cookie = entry.cookie + 1;
  }
}
