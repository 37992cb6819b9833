import { refuse } from "../errno.ts";
import { resizeContent } from "../files/content.ts";
import { isFile, isFolder, type TreeNode } from "../files/node.ts";
import { listFrom } from "../files/directory-listing.ts";
import { directoryOf } from "../files/descriptors.ts";
import { ALL_FDFLAGS, RIGHTS } from "../preview1.ts";
import type { WasiContext } from "./context.ts";
import { filetype, filetypeOf, setTimes, writeFilestat } from "./filestat.ts";
import type { Pointers } from "./pointers.ts";

const FDSTAT_BYTES = 24;
const DIRENT_BYTES = 24;
const PRESTAT_BYTES = 8;
const LAST_ADVICE = 5;

/** The calls on a descriptor itself; those that move its bytes are in `fd-io.ts`. */
export function fdFunctions(context: WasiContext, guest: Pointers) {
  const synced = (fd: number): void => {
    const { node } = context.files.get(fd);
    if (node.kind === "mountedFile") node.mount.sync(node);
  };
  const preopened = (fd: number): Uint8Array => new TextEncoder().encode(context.files.get(fd).preopen ?? refuse("badf"));

  return {
    fd_advise(fd: number, offset: bigint, length: bigint, advice: number): void {
      const { node } = context.files.get(fd);
      if (node.kind === "device") refuse("spipe");
      if (isFolder(node)) refuse("badf");
      if (offset < 0n || length < 0n || advice >>> 0 > LAST_ADVICE) refuse("inval");
    },
    fd_close(fd: number): void {
      context.files.close(fd);
    },
    fd_datasync: synced,
    fd_sync: synced,
    fd_fdstat_get(fd: number, statAt: number): void {
      const { node, flags, rights, inheriting } = context.files.get(fd);
      guest.bytes(statAt, FDSTAT_BYTES).fill(0);
      guest.setU8(statAt, filetype(node));
      guest.setU16(statAt + 2, flags);
      guest.setU64(statAt + 8, BigInt(rights));
      guest.setU64(statAt + 16, BigInt(inheriting));
    },
    fd_fdstat_set_flags(fd: number, flags: number): void {
      if ((flags & ~ALL_FDFLAGS) !== 0) refuse("inval");
      context.files.get(fd).flags = flags;
    },
    fd_filestat_get(fd: number, statAt: number): void {
      writeFilestat(guest, statAt, current(context.files.get(fd).node));
    },
    fd_filestat_set_size(fd: number, size: bigint): void {
      const { node, rights } = context.files.get(fd);
      if (!isFile(node) || (rights & RIGHTS.fdFilestatSetSize) === 0) refuse("inval");
      if (node.sealed) refuse("rofs");
      if (size < 0n) refuse("inval");
      if (size > BigInt(Number.MAX_SAFE_INTEGER)) refuse("nospc");
      resizeContent(context.files.tree, node, Number(size));
    },
    fd_filestat_set_times(fd: number, accessed: bigint, modified: bigint, flags: number): void {
      setTimes(context.files.tree, context.files.get(fd).node, accessed, modified, flags);
    },
    fd_prestat_get(fd: number, statAt: number): void {
      const name = preopened(fd);
      guest.bytes(statAt, PRESTAT_BYTES).fill(0);
      guest.setU32(statAt + 4, name.length);
    },
    fd_prestat_dir_name(fd: number, nameAt: number, length: number): void {
      const name = preopened(fd);
      if (length >>> 0 < name.length) refuse("nametoolong");
      guest.bytes(nameAt, name.length).set(name);
    },
    fd_readdir(fd: number, bufferAt: number, length: number, cookie: bigint, usedAt: number): void {
      const directory = directoryOf(context.files, fd);
      const buffer = guest.bytes(bufferAt, length);
      const from = Number(BigInt.asUintN(64, cookie));
      let used = 0;
      for (const entry of listFrom(directory, from, context.files.tree.root.ino)) {
        // The guest knows by a full buffer that there is more; the entry cut off comes again.
        if (used === buffer.length) break;
        const record = dirent(entry.next, entry.ino, filetypeOf(entry.kind), entry.name);
        const part = record.subarray(0, buffer.length - used);
        buffer.set(part, used);
        used += part.length;
        if (part.length < record.length) break;
      }
      guest.setU32(usedAt, used);
    },
  };
}

/** A node as it is now; only the machine's own change unseen. */
function current(node: TreeNode): TreeNode {
  return node.kind === "mountedFile" || node.kind === "mountedFolder" ? node.mount.refresh(node) : node;
}

function dirent(next: number, ino: number, type: number, name: string): Uint8Array {
  const text = new TextEncoder().encode(name);
  const record = new Uint8Array(DIRENT_BYTES + text.length);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, BigInt(ino), true);
  view.setUint32(16, text.length, true);
  view.setUint8(20, type);
  record.set(text, DIRENT_BYTES);
  return record;
}
