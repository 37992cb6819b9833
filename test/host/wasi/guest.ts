import { createBaseLayer, type PackedFile } from "../../../src/host/files/base-layer.ts";
import type { MountedFolder } from "../../../src/host/files/node.ts";
import { createDescriptors, type Descriptors } from "../../../src/host/files/descriptors.ts";
import { createFileTree } from "../../../src/host/files/tree.ts";
import { wasiImports } from "../../../src/host/imports.ts";
import type { WasiContext } from "../../../src/host/wasi/context.ts";

/** Where the tests let answers be written. */
export const OUT = 16;
const BUFFER = 4_096;
const PAGES = 4;
export const MEMORY_BYTES = PAGES * 65_536;
export const ROOT_FD = 3;

/** A stand-in for a guest: a memory, and the imports it would call. */
export interface TestGuest {
  readonly files: Descriptors;
  readonly memory: WebAssembly.Memory;
  readonly view: () => DataView;
  readonly written: { stdout: string; stderr: string };
  readonly waits: number[];
  /** Calls an import; the errno. */
  call(name: string, ...args: (number | bigint)[]): number;
  /** Puts bytes where `path` and `vector` don't. */
  put(at: number, bytes: Uint8Array | string): void;
  /** Puts a string; its pointer and length, as calls take them. */
  path(text: string | Uint8Array): [pointer: number, length: number];
  /** Puts an iovec over a buffer of that content or size; pointer and count, as calls take them. */
  vector(content: string | number): [pointer: number, count: number];
  /** The content of the last vector's buffer. */
  buffer(length: number): string;
  open(path: string, options?: { oflags?: number; rights?: bigint; fdflags?: number; lookup?: number; fd?: number }): number;
  /** Opens, asserting nothing: the errno. */
  opens(path: string, options?: Parameters<TestGuest["open"]>[1]): number;
}

export const READ = 2n | 4n | 32n;
export const WRITE = 64n | (1n << 22n);

export function testGuest(options: { fileBytes?: number; mounts?: PackedFile[]; folders?: readonly MountedFolder[]; context?: Partial<WasiContext> } = {}): TestGuest {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const tree = createFileTree({
    base: createBaseLayer(options.mounts ?? [], options.folders),
    fileBytes: options.fileBytes ?? 1_048_576,
    now: () => 1_000_000_000n,
  });
  const files = createDescriptors(tree);
  const written = { stdout: "", stderr: "" };
  const waits: number[] = [];
  let now = 5_000_000n;
  const context: WasiContext = {
    memory,
    files,
    output: { write: (stream, bytes) => void (written[stream] += Buffer.from(bytes).toString()) },
    args: ["python"],
    env: { HOME: "/work" },
    clock: { realtimeNs: () => 1_000_000_000n, monotonicNs: () => now },
    random: (into) => void into.fill(7),
    wait: (ms) => {
      waits.push(ms);
      now += BigInt(Math.round(Math.min(ms, 1e9) * 1e6));
    },
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
    look: () => {},
  };
  // With their getters: a spread would read them once.
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(options.context ?? {}));
  const imports = wasiImports(context);
  const view = (): DataView => new DataView(memory.buffer);
  const put = (at: number, bytes: Uint8Array | string): void =>
    new Uint8Array(memory.buffer).set(typeof bytes === "string" ? Buffer.from(bytes) : bytes, at);
  let next = 65_536;
  const guest: TestGuest = {
    files,
    memory,
    view,
    written,
    waits,
    put,
    call: (name, ...args) => Number(Reflect.apply(imports[name] ?? (() => -1), undefined, args)),
    path(text) {
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      // A ring, so that two paths of one call don't meet.
      next = next + bytes.length > MEMORY_BYTES ? 65_536 : next;
      put(next, bytes);
      next += bytes.length;
      return [next - bytes.length, bytes.length];
    },
    vector(content) {
      if (typeof content === "string") put(BUFFER, content);
      view().setUint32(1_024, BUFFER, true);
      view().setUint32(1_028, typeof content === "string" ? Buffer.byteLength(content) : content, true);
      return [1_024, 1];
    },
    buffer: (length) => Buffer.from(memory.buffer, BUFFER, length).toString(),
    opens: (path, { oflags = 0, rights = READ, fdflags = 0, lookup = 1, fd = ROOT_FD } = {}) =>
      guest.call("path_open", fd, lookup, ...guest.path(path), oflags, rights, rights, fdflags, OUT),
    open(path, how) {
      const errno = guest.opens(path, how);
      if (errno !== 0) throw new Error(`open ${path}: errno ${errno}`);
      return view().getUint32(OUT, true);
    },
  };
  return guest;
}

/** Makes a file through the guest's own calls. */
export function makeFile(guest: TestGuest, path: string, content = ""): void {
  const fd = guest.open(path, { oflags: 1 | 8, rights: READ | WRITE });
  const errno = content === "" ? 0 : guest.call("fd_write", fd, ...guest.vector(content), OUT);
  guest.call("fd_close", fd);
  if (errno !== 0) throw new Error(`write ${path}: errno ${errno}`);
}

/** The content of a file, read through the guest's own calls. */
export function contentOf(guest: TestGuest, path: string): string {
  const fd = guest.open(path);
  guest.call("fd_read", fd, ...guest.vector(16_384), OUT);
  guest.call("fd_close", fd);
  return guest.buffer(guest.view().getUint32(OUT, true));
}
