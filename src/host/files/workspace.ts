import { BelljarError } from "../../base/errors.ts";
import { ERRNO, WasiFault } from "../errno.ts";
import { readFile, writeFile } from "./access.ts";
import type { BaseLayer } from "./base-layer.ts";
import { changedSince } from "./changes.ts";
import { createDescriptors, type Descriptors } from "./descriptors.ts";
import { restoreFiles, type SavedFiles, saveFiles } from "./saved-files.ts";
import { createFileTree } from "./tree.ts";

/** The folder that a turn's code works in, and whose changes are told. */
export const WORK_FOLDER = "/work";

/** A file with its content; the path is absolute, in the guest's words. */
export interface WorkFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a turn made or changed, and how many more files than were asked for. */
export interface Changes {
  readonly files: readonly WorkFile[];
  readonly left: number;
}

/** The files of one sandbox over all its turns. */
export interface Workspace {
  /**
   * Starts a turn: makes the file tree when there is none, and puts files into it.
   * @throws BelljarError BAD_ARGUMENT when one has no room or no place.
   */
  begin(fileBytes: number, files: readonly WorkFile[]): Descriptors;
  /** What was made or changed beneath /work since the last `begin`. */
  changes(most: number): Changes;
  /** Forgets everything; the next `begin` starts from nothing. */
  clear(): void;
  save(): SavedFiles | undefined;
  restore(fileBytes: number, saved: SavedFiles | undefined): void;
}

/** A workspace over a read-only layer. */
export function createWorkspace(base: BaseLayer): Workspace {
  let files: Descriptors | undefined;
  let mark = 0;
  const options = (fileBytes: number) => ({ base, fileBytes, now: wallClock });
  return {
    begin(fileBytes, given) {
      files ??= createDescriptors(createFileTree(options(fileBytes)));
      for (const file of given) place(files, file);
      mark = files.tree.change;
      return files;
    },
    changes(most) {
      if (files === undefined) return { files: [], left: 0 };
      const { tree } = files;
      const changed = changedSince(tree, mark, WORK_FOLDER);
      const taken = changed.slice(0, most).map(({ path }) => ({ path, bytes: readFile(tree, path) }));
      return { files: taken, left: changed.length - taken.length };
    },
    clear() {
      files = undefined;
    },
    save: () => files && saveFiles(files),
    restore(fileBytes, saved) {
      files = saved && restoreFiles(options(fileBytes), saved);
    },
  };
}

function place({ tree }: Descriptors, { path, bytes }: WorkFile): void {
  try {
    writeFile(tree, path, bytes);
  } catch (cause) {
    if (!(cause instanceof WasiFault)) throw cause;
    const reason = cause.errno === ERRNO.nospc ? "there is no room for it" : "no file can be at that path";
    throw new BelljarError("BAD_ARGUMENT", `${path} was not written: ${reason}`, { cause });
  }
}

function wallClock(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
