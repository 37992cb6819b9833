import * as z from "zod";
import { BelljarError } from "../base/errors.ts";
import type { SavedFiles } from "../host/files/saved-files.ts";
import type { SavedSandbox } from "./guest.ts";

/** A place among the blobs that follow the JSON: its length; they come in the order in which they are named. */
const blob = z.int().nonnegative();
const ino = z.int().nonnegative();
const time = z.string().regex(/^\d{1,19}$/).transform(BigInt);
const inode = {
  ino,
  times: z.strictObject({ accessed: time, modified: time, changed: time }),
  links: z.int().nonnegative(),
  change: z.int().nonnegative(),
};
const nodeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...inode, kind: z.literal("file"), bytes: blob }),
  z.strictObject({ ...inode, kind: z.literal("symlink"), target: z.string() }),
  z.strictObject({
    ...inode,
    kind: z.literal("directory"),
    parent: ino.optional(),
    nextCookie: z.int().nonnegative(),
    entries: z.array(z.tuple([z.string(), ino, z.int().nonnegative()])),
  }),
]);
const descriptorSchema = z.strictObject({
  offset: z.number().nonnegative(),
  flags: z.int(),
  rights: z.int(),
  inheriting: z.int(),
  preopen: z.string().optional(),
});
const wide = z.string().regex(/^\d{1,20}$/).transform(BigInt);
const mountedSchema = z.strictObject({
  guest: z.string(),
  names: z.array(z.string()),
  file: z.strictObject({ id: z.strictObject({ dev: wide, ino: wide }), access: z.enum(["read", "write"]) }).optional(),
});
const filesSchema = z.strictObject({
  nodes: z.array(nodeSchema),
  folders: z.array(z.tuple([z.string(), ino])),
  open: z.array(z.tuple([z.int().min(0).max(65_535), ino, descriptorSchema])),
  mounted: z.array(z.tuple([z.int().min(0).max(65_535), mountedSchema, descriptorSchema])).optional(),
  used: z.int().nonnegative(),
  change: z.int().nonnegative(),
  nextIno: ino,
});
const sandboxSchema = z.strictObject({
  image: z.string(),
  memory: blob,
  memoryBytes: z.int().nonnegative(),
  clockMs: z.number().nonnegative(),
  savedAt: z.number().nonnegative(),
  files: filesSchema.optional(),
});

/**
 * A sandbox at rest as bytes, in pieces that are not copies of it: u32 length of a JSON text, the text, then the blobs
 * it names: memory, file contents.
 */
export function encodeSaved({ files, memory, ...saved }: SavedSandbox): readonly Uint8Array[] {
  const blobs = [memory];
  const nodes = files?.nodes.map((node) => {
    if (node.kind !== "file") return node;
    blobs.push(node.bytes);
    return { ...node, bytes: node.bytes.length };
  });
  const told = { ...saved, memory: memory.length, ...(files && { files: { ...files, nodes } }) };
  const json = Buffer.from(JSON.stringify(told, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return [length, json, ...blobs];
}

/**
 * The sandbox that was written; its memory is a view of the bytes, which are best in a buffer that threads share.
 * @throws BelljarError BAD_STATE when the bytes don't hold together.
 */
export function decodeSaved(bytes: Uint8Array): SavedSandbox {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonEnd = view.length < 4 ? Infinity : 4 + view.readUInt32LE(0);
  if (jsonEnd > view.length) throw bad();
  const { data, error } = sandboxSchema.safeParse(JSON.parse(view.toString("utf8", 4, jsonEnd)));
  if (data === undefined) throw bad(error);
  let at = jsonEnd;
  const take = (length: number): Uint8Array => {
    const start = at;
    at += length;
    if (at > view.length) throw bad();
    return bytes.subarray(start, at);
  };
  const memory = take(data.memory);
  const files = data.files && restored(data.files, take);
  if (at !== view.length) throw bad();
  const { image, memoryBytes, clockMs, savedAt } = data;
  return { image, memory, memoryBytes, clockMs, savedAt, files };
}

function restored({ mounted, ...files }: z.output<typeof filesSchema>, take: (length: number) => Uint8Array): SavedFiles {
  const nodes = files.nodes.map((node) => {
    if (node.kind === "file") return { ...node, bytes: take(node.bytes).slice() };
    return node.kind === "directory" ? { ...node, parent: node.parent } : node;
  });
  const open = files.open.map(([fd, node, descriptor]) => [fd, node, descriptorOf(descriptor)] as const);
  const again = mounted?.map(([fd, { file, ...node }, descriptor]) => [fd, { ...node, ...(file && { file }) }, descriptorOf(descriptor)] as const);
  return { ...files, nodes, open, ...(again && { mounted: again }) };
}

function descriptorOf({ preopen, ...descriptor }: z.output<typeof descriptorSchema>) {
  return { ...descriptor, ...(preopen === undefined ? {} : { preopen }) };
}

function bad(cause?: unknown): BelljarError {
  return new BelljarError("BAD_STATE", "its content is not a sandbox of this format", { cause });
}
