import door from "belljar:guest/door";
import path from "path-browserify";

/** The kinds of things that a path can lead to. */
export type Kind = "file" | "directory" | "symlink" | "device";

export interface Stat {
  readonly kind: Kind;
  readonly size: number;
  readonly ino: number;
  readonly links: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOMEM: "not enough memory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
};
const EMPTY = new Uint8Array(0);

/** An error as Node's: `ENOENT: no such file or directory, open 'x'`. */
export function fileError(code: string, syscall: string, where: string, to?: string): Error {
  const places = to === undefined ? `'${where}'` : `'${where}' -> '${to}'`;
  const error = new Error(`${code}: ${WORDS[code] ?? "file error"}, ${syscall} ${places}`);
  return Object.assign(error, { code, syscall, path: where, ...(to === undefined ? {} : { dest: to }) });
}

/** A path of the user's (text, bytes or URL) as an absolute one. */
export function absolute(where: unknown): string {
  const isUrl = typeof where === "object" && where !== null && "pathname" in where;
  const text = isUrl ? decodeURIComponent(String(where.pathname)) : String(where);
  if (typeof where !== "string" && !isUrl && !ArrayBuffer.isView(where)) {
    throw Object.assign(new TypeError(`The "path" argument must be of type string or an instance of Buffer or URL. Received ${typeof where}`), { code: "ERR_INVALID_ARG_TYPE" });
  }
  return path.resolve("/work", text);
}

interface Ask {
  readonly op: string;
  readonly path: string;
  readonly to?: string;
  readonly [option: string]: unknown;
}

/** Asks the host; @throws an error as Node's, that names `syscall`. */
export function ask(syscall: string, request: Ask, content: Uint8Array = EMPTY): { readonly ok: unknown; readonly content: Uint8Array } {
  const [answer, bytes] = door.file(JSON.stringify(request).toWellFormed(), content);
  if (answer.startsWith("=")) return { ok: answer.slice(1), content: bytes };
  const { ok, error }: { ok?: unknown; error?: string } = JSON.parse(answer);
  if (error !== undefined) throw fileError(error, syscall, request.path, request.to);
  return { ok, content: bytes };
}

export function stat(where: unknown, follow: boolean): Stat {
  const { ok } = ask(follow ? "stat" : "lstat", { op: "stat", path: absolute(where), follow });
  if (!isStat(ok)) throw new Error("the host told no stat");
  return ok;
}

function isStat(value: unknown): value is Stat {
  return typeof value === "object" && value !== null && "kind" in value && "size" in value;
}

/** Names and kinds in a folder, sorted. */
export function list(where: unknown): [string, Kind][] {
  const { ok } = ask("scandir", { op: "list", path: absolute(where) });
  const entries: [string, Kind][] = Array.isArray(ok) ? ok : [];
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
