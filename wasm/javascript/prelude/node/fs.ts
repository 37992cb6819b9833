import { Buffer } from "buffer/index.js";
import path from "path-browserify";
import { absolute, ask, fileError, type Kind, list, stat, type Stat } from "./files.ts";

type Encoding = string | null | { readonly encoding?: string | null; readonly flag?: string } | undefined;

const encodingOf = (options: Encoding): string | undefined => (typeof options === "object" ? options?.encoding : options) ?? undefined;
const isUtf8 = (encoding: string | undefined): boolean => encoding !== undefined && /^utf-?8$/i.test(encoding);
const flagOf = (options: Encoding, otherwise: string): string => (typeof options === "object" && options?.flag) || otherwise;

/** The kind of a thing, as Node's Stats and Dirent tell it. */
function kindMethods(kind: Kind): Record<string, () => boolean> {
  return {
    isFile: () => kind === "file",
    isDirectory: () => kind === "directory",
    isSymbolicLink: () => kind === "symlink",
    isCharacterDevice: () => kind === "device",
    isBlockDevice: () => false,
    isFIFO: () => false,
    isSocket: () => false,
  };
}

function toStats({ kind, size, ino, links, atimeMs, mtimeMs, ctimeMs }: Stat): object {
  const times = { atimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs, atime: new Date(atimeMs), mtime: new Date(mtimeMs), ctime: new Date(ctimeMs), birthtime: new Date(ctimeMs) };
  const stats = { dev: 0, ino, mode: kind === "directory" ? 0o40755 : 0o100644, nlink: links, uid: 0, gid: 0, size, blocks: Math.ceil(size / 512), blksize: 4_096, ...times };
  for (const [name, value] of Object.entries(kindMethods(kind))) Object.defineProperty(stats, name, { value, enumerable: false });
  return stats;
}

function readFileSync(where: unknown, options?: Encoding): unknown {
  const encoding = encodingOf(options);
  const { ok, content } = ask("open", { op: "read", path: absolute(where), as: isUtf8(encoding) ? "text" : "bytes" });
  if (isUtf8(encoding)) return ok;
  const buffer = Buffer.from(content);
  return encoding === undefined || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

function writeFileSync(where: unknown, data: unknown, options?: Encoding): void {
  const flag = flagOf(options, "w");
  const request = { op: "write", path: absolute(where), append: flag.startsWith("a"), exclusive: flag.includes("x") };
  const encoding = encodingOf(options);
  if (ArrayBuffer.isView(data)) ask("open", request, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  else if (encoding === undefined || isUtf8(encoding)) ask("open", { ...request, text: String(data) });
  else ask("open", request, Buffer.from(String(data), encoding));
}

function appendFileSync(where: unknown, data: unknown, options?: Encoding): void {
  writeFileSync(where, data, { encoding: encodingOf(options) ?? null, flag: "a" });
}

function existsSync(where: unknown): boolean {
  try {
    stat(where, true);
    return true;
  } catch {
    return false;
  }
}

function statSync(where: unknown, options?: { readonly throwIfNoEntry?: boolean }): object | undefined {
  if (options?.throwIfNoEntry === false && !existsSync(where)) return undefined;
  return toStats(stat(where, true));
}

interface ListOptions {
  readonly withFileTypes?: boolean;
  readonly recursive?: boolean;
}

function readdirSync(where: unknown, options?: ListOptions | string): unknown[] {
  const { withFileTypes = false, recursive = false } = typeof options === "object" ? options : {};
  const found: unknown[] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const [name, kind] of list(folder)) {
      found.push(withFileTypes ? { name, parentPath: folder, ...kindMethods(kind) } : prefix + name);
      if (recursive && kind === "directory") visit(path.join(folder, name), `${prefix}${name}/`);
    }
  };
  visit(absolute(where), "");
  return found;
}

function mkdirSync(where: unknown, options?: { readonly recursive?: boolean } | number): string | undefined {
  const target = absolute(where);
  if (typeof options !== "object" || !options.recursive) return void ask("mkdir", { op: "mkdir", path: target });
  let first: string | undefined;
  const names = target.split("/").slice(1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = `/${names.slice(0, depth).join("/")}`;
    if (existsSync(folder)) {
      if (stat(folder, true).kind !== "directory") throw fileError(depth === names.length ? "EEXIST" : "ENOTDIR", "mkdir", target);
      continue;
    }
    ask("mkdir", { op: "mkdir", path: folder });
    first ??= folder;
  }
  return first;
}

function rmSync(where: unknown, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): void {
  const target = absolute(where);
  let kind: Kind;
  try {
    kind = stat(target, false).kind;
  } catch (error) {
    if (options.force) return;
    throw error;
  }
  if (kind !== "directory") return void ask("unlink", { op: "unlink", path: target });
  if (!options.recursive) throw Object.assign(fileError("EISDIR", "rm", target), { code: "ERR_FS_EISDIR" });
  for (const [name] of list(target)) rmSync(path.join(target, name), { recursive: true });
  ask("rmdir", { op: "rmdir", path: target });
}

function cpSync(from: unknown, to: unknown, options: { readonly recursive?: boolean } = {}): void {
  const [source, target] = [absolute(from), absolute(to)];
  if (stat(source, true).kind !== "directory") return copyFileSync(source, target);
  if (!options.recursive) throw fileError("EISDIR", "cp", source, target);
  mkdirSync(target, { recursive: true });
  for (const [name] of list(source)) cpSync(path.join(source, name), path.join(target, name), options);
}

function copyFileSync(from: unknown, to: unknown): void {
  writeFileSync(to, readFileSync(from));
}

let temporaries = 0;

function mkdtempSync(prefix: unknown): string {
  for (;;) {
    temporaries += 1;
    const folder = absolute(`${String(prefix)}${temporaries.toString(36).padStart(6, "0")}`);
    if (existsSync(folder)) continue;
    mkdirSync(folder);
    return folder;
  }
}

const sync = {
  accessSync: (where: unknown) => void stat(where, true),
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync: (where: unknown) => toStats(stat(where, false)),
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync: (where: unknown) => ask("readlink", { op: "readlink", path: absolute(where) }).ok,
  realpathSync: (where: unknown) => (stat(where, true), absolute(where)),
  renameSync: (from: unknown, to: unknown) => void ask("rename", { op: "rename", path: absolute(from), to: absolute(to) }),
  rmSync,
  rmdirSync: (where: unknown) => void ask("rmdir", { op: "rmdir", path: absolute(where) }),
  statSync,
  symlinkSync: (target: unknown, where: unknown) => void ask("symlink", { op: "symlink", path: absolute(where), to: String(target) }),
  truncateSync: (where: unknown, size = 0) => void ask("open", { op: "truncate", path: absolute(where), size }),
  unlinkSync: (where: unknown) => void ask("unlink", { op: "unlink", path: absolute(where) }),
  writeFileSync,
};

type AnyFunction = (...args: unknown[]) => unknown;

/** The forms of each function that give a promise, and that call back. */
const promises: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
const callbacks: Record<string, AnyFunction> = {};
for (const [name, run] of Object.entries(sync)) {
  const plain = name.replace(/Sync$/, "");
  const call: AnyFunction = (...args) => Reflect.apply(run, undefined, args);
  promises[plain] = async (...args) => call(...args);
  callbacks[plain] = (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw new TypeError('The "cb" argument must be of type function.');
    if (plain === "exists") return queueMicrotask(() => callback(existsSync(args[0])));
    promises[plain]?.(...args).then((value) => callback(null, value), (error: unknown) => callback(error));
  };
}

/** node:fs on the sandbox's own files; no descriptors and no streams. */
export const fs = { ...sync, ...callbacks, promises, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 } };
