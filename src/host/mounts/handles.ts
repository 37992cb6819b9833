import { closeSync, constants, fstatSync, openSync, type BigIntStats } from "node:fs";
import { refuse } from "../errno.ts";
import type { MountedFile } from "../files/node.ts";
import type { Ledger } from "./ledger.ts";
import { withErrno } from "./node-errors.ts";

/** Descriptors of the machine behind the files that a guest has open; at most as many as a turn may have. */
export interface Handles {
  /** The descriptor of a file, opened as the file's `access` says when it isn't open. */
  of(file: MountedFile): number;
  /** Keeps a descriptor that was opened to make the file. */
  keep(file: MountedFile, fd: number): void;
  close(file: MountedFile): void;
  /** What an open file is now; undefined when it isn't open. */
  stat(file: MountedFile): BigIntStats | undefined;
  closeAll(): void;
}

/** No link at the end is followed, and no pipe waited for. */
export const OPEN_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (process.platform === "darwin" ? 0x2000_0000 : 0);

/** Handles of one mount; `pathOf` leads to a file at that moment. */
export function createHandles(ledger: Ledger, pathOf: (file: MountedFile) => string): Handles {
  const open = new Map<MountedFile, number>();
  const statOf = (fd: number): BigIntStats => withErrno(() => fstatSync(fd, { bigint: true }));
  const keep = (file: MountedFile, fd: number): void => {
    open.set(file, fd);
    ledger.handles(1);
  };
  const close = (file: MountedFile): void => {
    const fd = open.get(file);
    if (fd === undefined) return;
    open.delete(file);
    ledger.handles(-1);
    closeSync(fd);
  };
  return {
    of(file) {
      const known = open.get(file);
      if (known !== undefined) return known;
      if (file.special || file.access === "none") refuse("perm");
      ledger.checkHandle();
      const access = file.access === "write" ? constants.O_RDWR : constants.O_RDONLY;
      const fd = withErrno(() => openSync(pathOf(file), access | OPEN_FLAGS));
      // What was looked at may have been exchanged since.
      const stat = statOf(fd);
      if (!stat.isFile() || stat.dev !== file.id.dev || stat.ino !== file.id.ino) {
        closeSync(fd);
        refuse("noent");
      }
      keep(file, fd);
      return fd;
    },
    keep,
    close,
    stat(file) {
      const fd = open.get(file);
      return fd === undefined ? undefined : statOf(fd);
    },
    closeAll() {
      for (const file of open.keys()) close(file);
    },
  };
}
