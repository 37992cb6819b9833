import type { LinkNode, MountedFile, MountedFolder } from "./node.ts";

/** Which file of the machine something is, whatever its name. */
export interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A name in a mounted folder. */
export interface MountedListing {
  readonly name: string;
  readonly kind: "mountedFile" | "mountedFolder" | "symlink";
}

/**
 * A folder of the machine in a sandbox's tree, live. Each call finds its way anew, inside the folder, whatever is
 * renamed or linked meanwhile. All names are single ones, without "/", "." and "..".
 * @throws WasiFault from every function, as the calls of POSIX; rofs when it is to be read only.
 */
export interface Mount {
  /** Where it is in the guest. */
  readonly guest: string;
  readonly writable: boolean;
  /** What a name in a folder is now; links are not followed. */
  look(folder: MountedFolder, name: string): MountedFile | MountedFolder | LinkNode | undefined;
  list(folder: MountedFolder): readonly MountedListing[];
  /** What a node is now: of an open file, also after it has lost its name. */
  refresh(node: MountedFile | MountedFolder): MountedFile | MountedFolder;
  makeFile(folder: MountedFolder, name: string): MountedFile;
  makeFolder(folder: MountedFolder, name: string): void;
  removeFile(folder: MountedFolder, name: string): void;
  removeFolder(folder: MountedFolder, name: string): void;
  rename(from: MountedFolder, name: string, to: MountedFolder, newName: string): void;
  /** Opens a file for its descriptor; it is opened again when a later turn uses that. */
  open(file: MountedFile): void;
  close(file: MountedFile): void;
  /** Bytes read into the buffer, which may be fewer than it takes; 0 at the end. */
  read(file: MountedFile, offset: number, into: Uint8Array): number;
  write(file: MountedFile, offset: number, bytes: Uint8Array): void;
  resize(file: MountedFile, size: number): void;
  sync(file: MountedFile): void;
  /** Nanoseconds since 1970; undefined leaves one as it is. */
  setTimes(node: MountedFile | MountedFolder, accessed: bigint | undefined, modified: bigint | undefined): void;
}
