import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../errno.ts";
import { checkName } from "./names.ts";
import { withErrno } from "./node-errors.ts";

/** The way to the folders beneath a mounted one. */
export interface Anchor extends Disposable {
  /**
   * A path that leads to that very folder; to be used before the next but one is asked for.
   * @throws WasiFault noent when it isn't there, or not by these names alone.
   */
  at(names: readonly string[]): string;
}

/** Linux's; other systems name no such flag. */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";
const HELD = 2;

/** What the engine must be let do, beneath its mounted folders, by whoever limits it: to reach its own descriptors. */
export const ANCHOR_FOLDER = process.platform === "linux" ? DESCRIPTORS : undefined;

/** An anchor that nobody can lead astray where the system has one, else the next best. */
export function anchorAt(root: string): Anchor {
  return process.platform === "linux" && !("Deno" in globalThis) ? anchorByDescriptor(root) : anchorByPath(root);
}

/**
 * Linux: a path through a descriptor of the folder, `/proc/self/fd/N`, leads to what was opened, whatever becomes of its
 * name. The kernel tells the true path of a descriptor: one that isn't the expected was reached through a link, or moved.
 */
function anchorByDescriptor(root: string): Anchor {
  const open = (path: string): number =>
    withErrno(() => openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  const rootFd = open(root);
  const pathOf = (fd: number): string => withErrno(() => readlinkSync(`${DESCRIPTORS}/${fd}`));
  if (pathOf(rootFd) !== root) {
    closeSync(rootFd);
    refuse("noent");
  }
  let rootPath = root;
  // The last two folders beneath the root: most calls come for one, many times, and a renaming for two.
  const held: { readonly path: string; readonly fd: number }[] = [];

  const descriptorOf = (names: readonly string[]): number => {
    for (const name of names) checkName(name);
    // Where the root is, is asked again when it is not where it was.
    let path = join(rootPath, ...names);
    const known = held.findIndex((one) => one.path === path);
    const [found] = known < 0 ? [] : held.splice(known, 1);
    if (found !== undefined && pathOf(found.fd) === path) {
      held.push(found);
      return found.fd;
    }
    if (found !== undefined) closeSync(found.fd);
    rootPath = pathOf(rootFd);
    path = join(rootPath, ...names);
    const fd = open(join(`${DESCRIPTORS}/${rootFd}`, ...names));
    if (pathOf(fd) !== path) {
      closeSync(fd);
      refuse("noent");
    }
    held.push({ path, fd });
    if (held.length > HELD) closeSync(held.shift()?.fd ?? fd);
    return fd;
  };

  return {
    at: (names) => `${DESCRIPTORS}/${names.length === 0 ? rootFd : descriptorOf(names)}`,
    [Symbol.dispose]() {
      for (const { fd } of held.splice(0)) closeSync(fd);
      closeSync(rootFd);
    },
  };
}

/** Elsewhere: the path itself, once it is seen to be free of links. Who exchanges a folder at that moment wins a race. */
function anchorByPath(root: string): Anchor {
  const { dev, ino } = withErrno(() => statSync(root, { bigint: true }));
  return {
    at(names) {
      for (const name of names) checkName(name);
      const path = join(root, ...names);
      if (withErrno(() => realpathSync(path)) !== path) refuse("noent");
      const now = withErrno(() => statSync(root, { bigint: true }));
      return now.dev === dev && now.ino === ino ? path : refuse("noent");
    },
    [Symbol.dispose]() {},
  };
}
