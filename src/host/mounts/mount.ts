import * as fs from "node:fs";
import type { FolderGrant, GrantUse } from "../../policy/grants.ts";
import { refuse } from "../errno.ts";
import type { Mount, MountedListing } from "../files/mount.ts";
import type { MountedFile, MountedFolder } from "../files/node.ts";
import { anchorAt } from "./anchor.ts";
import { createHandles, OPEN_FLAGS } from "./handles.ts";
import type { Ledger } from "./ledger.ts";
import { checkName } from "./names.ts";
import { withErrno } from "./node-errors.ts";
import { inGuest, isSystemFolder, linkOf, nodeOf } from "./nodes.ts";

/** So many names of one folder are listed. */
const MOST_NAMES = 200_000;
/** One call moves no more, so that a stop needn't wait for it. */
const MOST_BYTES = 16 * 1_024 * 1_024;
const NS_PER_S = 1e9;

/** A folder that is mounted; disposing it closes all of it. */
export interface HostMount extends Mount, Disposable {
  readonly root: MountedFolder;
  /** Closes what the guest has open; used again, it is opened again. */
  rest(): void;
}

/**
 * Mounts a folder of the machine: a true path, without links. It is opened once; names in it are followed from there.
 * Uses are told by names of `toldDepth` parts at most.
 * @throws WasiFault when it can't be opened.
 */
export function openMount({ host, guest, writable }: FolderGrant, ledger: Ledger, toldDepth = Infinity): HostMount {
  const anchor = anchorAt(host);
  const note = (what: GrantUse["what"], names: readonly string[], bytes = 0): void => ledger.note(what, [guest, ...names.slice(0, toldDepth)].join("/"), bytes);
  const pathIn = (folder: MountedFolder, name: string): string => {
    checkName(name);
    return `${anchor.at(folder.names)}/${name}`;
  };
  const pathTo = ({ names }: MountedFile | MountedFolder): string => {
    const name = names.at(-1);
    if (name === undefined) return `${anchor.at(names)}/.`;
    checkName(name);
    return `${anchor.at(names.slice(0, -1))}/${name}`;
  };
  /** A path at which something is about to change. */
  const changing = (folder: MountedFolder, name: string): string => (writable ? pathIn(folder, name) : refuse("rofs"));
  const statAt = (path: string): fs.BigIntStats | undefined => {
    const stat = withErrno(() => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    if (stat === undefined || stat.dev === rootStat.dev || stat.isSymbolicLink()) return stat;
    // Another file system begins here, and may show the system itself.
    return isSystemFolder(withErrno(() => fs.statfsSync(path)).type) ? undefined : stat;
  };
  const rootStat = withErrno(() => fs.lstatSync(`${anchor.at([])}/.`, { bigint: true }));
  const handles = createHandles(ledger, pathTo);

  const mount: HostMount = {
    guest,
    writable,
    get root() {
      const node = nodeOf(mount, [], rootStat);
      return node.kind === "mountedFolder" ? node : refuse("notdir");
    },
    look(folder, name) {
      const path = pathIn(folder, name);
      const stat = statAt(path);
      if (stat === undefined) return undefined;
      if (!stat.isSymbolicLink()) return nodeOf(mount, [...folder.names, name], stat);
      return linkOf(stat, inGuest(withErrno(() => fs.readlinkSync(path)), host, guest));
    },
    list(folder) {
      note("list", folder.names);
      const found: MountedListing[] = [];
      const directory = withErrno(() => fs.opendirSync(anchor.at(folder.names)));
      try {
        for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
          if (found.length >= MOST_NAMES) refuse("overflow");
          const kind = entry.isSymbolicLink() ? "symlink" : entry.isDirectory() ? "mountedFolder" : "mountedFile";
          // A name that is no UTF-8 can't be said in the guest.
          if (!entry.name.includes("\ufffd")) found.push({ name: entry.name, kind });
        }
      } finally {
        directory.closeSync();
      }
      return found;
    },
    refresh(node) {
      const stat = (node.kind === "mountedFile" ? handles.stat(node) : undefined) ?? statAt(pathTo(node)) ?? refuse("noent");
      return nodeOf(mount, node.names, stat);
    },
    makeFile(folder, name) {
      const path = changing(folder, name);
      ledger.checkHandle();
      ledger.chargeFile();
      const fd = withErrno(() => fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | OPEN_FLAGS, 0o666));
      note("make", [...folder.names, name]);
      const node = nodeOf(mount, [...folder.names, name], withErrno(() => fs.fstatSync(fd, { bigint: true })));
      const file = node.kind === "mountedFile" ? node : refuse("io");
      file.access = "write";
      handles.keep(file, fd);
      return file;
    },
    makeFolder(folder, name) {
      const path = changing(folder, name);
      ledger.chargeFile();
      withErrno(() => fs.mkdirSync(path));
      note("make", [...folder.names, name]);
    },
    removeFile(folder, name) {
      const path = changing(folder, name);
      withErrno(() => fs.unlinkSync(path));
      note("remove", [...folder.names, name]);
    },
    removeFolder(folder, name) {
      const path = changing(folder, name);
      withErrno(() => fs.rmdirSync(path));
      note("remove", [...folder.names, name]);
    },
    open(file) {
      handles.of(file);
      note(file.access === "write" ? "write" : "read", file.names);
    },
    close: handles.close,
    read(file, offset, into) {
      const fd = handles.of(file);
      const count = withErrno(() => fs.readSync(fd, into, 0, Math.min(into.length, MOST_BYTES), offset));
      if (count > 0) note("read", file.names, count);
      return count;
    },
    write(file, offset, bytes) {
      if (!writable || file.access !== "write") refuse("rofs");
      const fd = handles.of(file);
      const { size } = withErrno(() => fs.fstatSync(fd));
      ledger.chargeBytes(bytes.length + Math.max(0, offset - size));
      for (let done = 0; done < bytes.length; ) {
        done += withErrno(() => fs.writeSync(fd, bytes, done, bytes.length - done, offset + done));
      }
      note("write", file.names, bytes.length);
    },
    resize(file, size) {
      if (!writable || file.access !== "write") refuse("rofs");
      const fd = handles.of(file);
      ledger.chargeBytes(Math.max(0, size - withErrno(() => fs.fstatSync(fd)).size));
      withErrno(() => fs.ftruncateSync(fd, size));
      note("write", file.names);
    },
    sync(file) {
      if (file.access === "write") withErrno(() => fs.fsyncSync(handles.of(file)));
    },
    rename(from, name, to, newName) {
      const source = changing(from, name);
      const target = changing(to, newName);
      withErrno(() => fs.renameSync(source, target));
      note("rename", [...from.names, name]);
      note("rename", [...to.names, newName]);
    },
    setTimes(node, accessed, modified) {
      if (!writable) refuse("rofs");
      const { times } = mount.refresh(node);
      const seconds = (time: bigint): number => Number(time) / NS_PER_S;
      const path = pathTo(node);
      withErrno(() => fs.lutimesSync(path, seconds(accessed ?? times.accessed), seconds(modified ?? times.modified)));
      note("write", node.names);
    },
    rest: handles.closeAll,
    [Symbol.dispose]() {
      handles.closeAll();
      anchor[Symbol.dispose]();
    },
  };
  return mount;
}
