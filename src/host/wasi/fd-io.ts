import { refuse } from "../errno.ts";
import { readContent, sizeOf, writeContent } from "../files/content.ts";
import type { Descriptor } from "../files/descriptors.ts";
import { type AnyFile, type DeviceNode, isFile, isFolder } from "../files/node.ts";
import { FDFLAGS, RIGHTS, WHENCE } from "../preview1.ts";
import type { WasiContext } from "./context.ts";
import type { Pointers } from "./pointers.ts";
import { fillRandom } from "./random.ts";

/** Endless devices give short reads, or one call could hold the thread for minutes. */
const DEVICE_READ_BYTES = 1024 * 1024;
/** Of a file one call gives no more either: some milliseconds of copying, after which the host looks at the clock. */
const FILE_READ_BYTES = 16 * 1024 * 1024;
const MAX_OFFSET = 2n ** 63n - 1n;

/** The calls that move bytes: `fd_read fd_pread fd_write fd_pwrite fd_seek fd_tell`. */
export function fdIoFunctions(context: WasiContext, guest: Pointers) {

  const read = (descriptor: Descriptor, vectors: Uint8Array[], offset: number): number => {
    const { node } = descriptor;
    if (node.kind === "device") return readDevice(context, node, vectors[0]);
    const file = fileOf(descriptor);
    let total = 0;
    for (const into of vectors) {
      const room = into.subarray(0, FILE_READ_BYTES - total);
      const count = readContent(file, offset + total, room);
      total += count;
      if (count < into.length) break;
    }
    return total;
  };

  const write = (descriptor: Descriptor, vectors: Uint8Array[], offset: number): number => {
    const { node } = descriptor;
    let total = 0;
    for (const bytes of vectors) {
      if (node.kind === "device") writeDevice(context, node, bytes);
      else writeContent(context.files.tree, fileOf(descriptor), offset + total, bytes);
      total += bytes.length;
    }
    return total;
  };

  return {
    fd_read(fd: number, vectorsAt: number, count: number, readAt: number): void {
      const descriptor = allowed(context.files.get(fd), RIGHTS.fdRead);
      const total = read(descriptor, guest.vectors(vectorsAt, count), descriptor.offset);
      descriptor.offset += total;
      guest.setU32(readAt, total);
    },
    fd_pread(fd: number, vectorsAt: number, count: number, offset: bigint, readAt: number): void {
      const descriptor = seekable(allowed(context.files.get(fd), RIGHTS.fdRead));
      guest.setU32(readAt, read(descriptor, guest.vectors(vectorsAt, count), position(offset)));
    },
    fd_write(fd: number, vectorsAt: number, count: number, writtenAt: number): void {
      const descriptor = allowed(context.files.get(fd), RIGHTS.fdWrite);
      const vectors = guest.vectors(vectorsAt, count);
      const { node } = descriptor;
      if (isFile(node) && (descriptor.flags & FDFLAGS.append) !== 0) descriptor.offset = sizeOf(node);
      const total = write(descriptor, vectors, descriptor.offset);
      descriptor.offset += total;
      guest.setU32(writtenAt, total);
    },
    fd_pwrite(fd: number, vectorsAt: number, count: number, offset: bigint, writtenAt: number): void {
      const descriptor = seekable(allowed(context.files.get(fd), RIGHTS.fdWrite));
      guest.setU32(writtenAt, write(descriptor, guest.vectors(vectorsAt, count), position(offset)));
    },
    fd_seek(fd: number, delta: bigint, whence: number, offsetAt: number): void {
      const descriptor = seekable(context.files.get(fd));
      const from = whence === WHENCE.set ? 0 : whence === WHENCE.cur ? descriptor.offset : sizeOf(fileOf(descriptor));
      if (whence !== WHENCE.set && whence !== WHENCE.cur && whence !== WHENCE.end) refuse("inval");
      const to = BigInt(from) + delta;
      if (to < 0n) refuse("inval");
      descriptor.offset = position(to);
      guest.setU64(offsetAt, to);
    },
    fd_tell(fd: number, offsetAt: number): void {
      guest.setU64(offsetAt, BigInt(seekable(context.files.get(fd)).offset));
    },
  };
}

/** @throws WasiFault badf when the descriptor was opened without the right, isdir for a directory. */
function allowed(descriptor: Descriptor, right: number): Descriptor {
  if (isFolder(descriptor.node)) refuse("isdir");
  return (descriptor.rights & right) === 0 ? refuse("badf") : descriptor;
}

/** @throws WasiFault spipe, badf for a directory. */
function seekable(descriptor: Descriptor): Descriptor {
  if (descriptor.node.kind === "device") refuse("spipe");
  return isFile(descriptor.node) ? descriptor : refuse("badf");
}

function fileOf({ node }: Descriptor): AnyFile {
  return isFile(node) ? node : refuse("badf");
}

/** An offset that doubles hold exactly. @throws WasiFault inval below zero, overflow beyond. */
function position(offset: bigint): number {
  if (offset < 0n) refuse("inval");
  if (offset > MAX_OFFSET || offset > BigInt(Number.MAX_SAFE_INTEGER)) refuse("overflow");
  return Number(offset);
}

function readDevice(context: WasiContext, { device }: DeviceNode, into: Uint8Array | undefined): number {
  if (into === undefined || (device !== "zero" && device !== "urandom")) return 0;
  const some = into.subarray(0, DEVICE_READ_BYTES);
  if (device === "urandom") fillRandom(context, some);
  else some.fill(0);
  return some.length;
}

function writeDevice(context: WasiContext, { device }: DeviceNode, bytes: Uint8Array): void {
  if (device === "stdout" || device === "stderr") context.output.write(device, bytes);
}
