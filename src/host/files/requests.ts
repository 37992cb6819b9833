import * as z from "zod";
import { BelljarError } from "../../base/errors.ts";
import { ERRNO, refuse, WasiFault } from "../errno.ts";
import { readFile, using } from "./access.ts";
import { resizeContent, sizeOf, writeContent } from "./content.ts";
import { createDirectory, createFile, createSymlink, removeDirectory, removeFile, rename } from "./entries.ts";
import { type AnyFile, isFile, isFolder, type TreeNode } from "./node.ts";
import type { FileTree } from "./tree.ts";
import { type Place, walk } from "./walk.ts";

const path = z.string().max(4_096);

/** What a guest without WASI may ask of its files, and of its variables; paths are absolute. */
const requestSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("read"), path, as: z.enum(["bytes", "text"]) }),
  z.object({ op: z.literal("write"), path, text: z.string().optional(), append: z.boolean(), exclusive: z.boolean() }),
  z.object({ op: z.literal("truncate"), path, size: z.int().nonnegative() }),
  z.object({ op: z.literal("stat"), path, follow: z.boolean() }),
  z.object({ op: z.literal("list"), path }),
  z.object({ op: z.literal("mkdir"), path }),
  z.object({ op: z.literal("unlink"), path }),
  z.object({ op: z.literal("rmdir"), path }),
  z.object({ op: z.literal("rename"), path, to: path }),
  z.object({ op: z.literal("symlink"), path, to: path }),
  z.object({ op: z.literal("readlink"), path }),
  z.object({ op: z.literal("environment"), path }),
]);
type Request = z.infer<typeof requestSchema>;

export interface FileAnswer {
  /** JSON: `{ "ok": … }`, or `{ "error": "ENOENT" }` with the code as Node has it; or `=` and the text that was read, as it is. */
  readonly answer: string;
  /** The bytes that were read. */
  readonly content: Uint8Array;
}

/** Kinds of nodes in the guest's words. */
const KINDS = {
  file: "file",
  directory: "directory",
  symlink: "symlink",
  device: "device",
  mountedFile: "file",
  mountedFolder: "directory",
} as const satisfies Record<TreeNode["kind"], string>;
const NOTHING = new Uint8Array(0);
const MAX_SIZE = 2 ** 32;

export interface FileRequestOptions {
  /** The variables that the guest may see. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Bytes of the largest file that it has the memory to take. */
  readonly mostBytes?: number;
}

/**
 * Does what a guest asks of its files.
 * @throws BelljarError GUEST_FAULT for what is no request.
 */
export function fileRequest(tree: FileTree, request: string, content: Uint8Array, { variables = {}, mostBytes = Infinity }: FileRequestOptions = {}): FileAnswer {
  const parsed = requestSchema.safeParse(parse(request));
  if (!parsed.success) throw new BelljarError("GUEST_FAULT", "not a request for files", { cause: parsed.error });
  try {
    if (parsed.data.path.includes("\0") || ("to" in parsed.data && parsed.data.to.includes("\0"))) refuse("inval");
    if (parsed.data.op === "read") return read(readFile(tree, parsed.data.path, mostBytes), parsed.data.as);
    const ok = parsed.data.op === "environment" ? variables : perform(tree, parsed.data, content);
    return { answer: JSON.stringify({ ok: ok ?? null }), content: NOTHING };
  } catch (error) {
    if (!(error instanceof WasiFault)) throw error;
    return { answer: JSON.stringify({ error: codeOf(error) }), content: NOTHING };
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new BelljarError("GUEST_FAULT", "not a request for files", { cause });
  }
}

function perform(tree: FileTree, request: Exclude<Request, { op: "environment" | "read" }>, content: Uint8Array): unknown {
  const at = (where: string, follow: boolean): Place => walk(tree, tree.root, where, follow);
  switch (request.op) {
    case "write":
      return write(tree, request, request.text === undefined ? content : new TextEncoder().encode(request.text));
    case "truncate":
      return changed(writable(at(request.path, true)), (file) => resizeContent(tree, file, Math.min(request.size, MAX_SIZE)));
    case "stat":
      return stat(at(request.path, request.follow));
    case "list": {
      const { node } = at(request.path, true);
      if (node === undefined) refuse("noent");
      if (node.kind === "mountedFolder") return node.mount.list(node).map(({ name, kind }) => [name, KINDS[kind]]);
      return node.kind === "directory" ? [...node.entries.values()].map((entry) => [entry.name, KINDS[entry.node.kind]]) : refuse("notdir");
    }
    case "mkdir":
      return createDirectory(tree, at(request.path, false));
    case "unlink":
      return removeFile(tree, at(request.path, false));
    case "rmdir":
      return removeDirectory(tree, at(request.path, false));
    case "rename":
      return rename(tree, at(request.path, false), at(request.to, false));
    case "symlink":
      return createSymlink(tree, request.to, at(request.path, false));
    case "readlink": {
      const { node } = at(request.path, false);
      return node?.kind === "symlink" ? node.target : refuse(node === undefined ? "noent" : "inval");
    }
  }
}

/** Text is not made JSON of: that could be six times as long. */
function read(bytes: Uint8Array, as: "bytes" | "text"): FileAnswer {
  if (as === "bytes") return { answer: '{"ok":null}', content: bytes };
  return { answer: `=${new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)}`, content: NOTHING };
}

function write(tree: FileTree, { path, append, exclusive }: Extract<Request, { op: "write" }>, bytes: Uint8Array): void {
  const place = walk(tree, tree.root, path, !exclusive);
  if (exclusive && place.node !== undefined) refuse("exist");
  const node = place.node === undefined ? createFile(tree, place) : writable(place);
  changed(node, (file) => {
    if (!append) resizeContent(tree, file, 0);
    writeContent(tree, file, append ? sizeOf(file) : 0, bytes);
  });
}

function changed(node: AnyFile, change: (file: AnyFile) => void): void {
  if (node.kind === "mountedFile") using(node, "write", () => change(node));
  else change(node);
}

function writable({ node }: Place): AnyFile {
  if (node === undefined) refuse("noent");
  if (!isFile(node)) refuse("isdir");
  return node.sealed ? refuse("rofs") : node;
}

function stat({ node, slash }: Place): object {
  if (node === undefined) refuse("noent");
  if (slash && !isFolder(node)) refuse("notdir");
  const { accessed, modified, changed } = node.times;
  const ms = (time: bigint): number => Number(time) / 1_000_000;
  return { kind: KINDS[node.kind], size: shownSize(node), ino: node.ino, links: node.links, atimeMs: ms(accessed), mtimeMs: ms(modified), ctimeMs: ms(changed) };
}

function shownSize(node: TreeNode): number {
  if (isFile(node)) return node.size;
  return node.kind === "symlink" ? node.target.length : 0;
}

function codeOf({ errno }: WasiFault): string {
  const [name = "io"] = Object.entries(ERRNO).find(([, number]) => number === errno) ?? [];
  return `E${name.toUpperCase()}`;
}
