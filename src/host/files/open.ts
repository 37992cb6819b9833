import { refuse } from "../errno.ts";
import { ALL_FDFLAGS, OFLAGS, RIGHTS } from "../preview1.ts";
import { resizeContent } from "./content.ts";
import { type Descriptor, type Descriptors, opened } from "./descriptors.ts";
import { createFile } from "./entries.ts";
import { type AnyFolder, isFile, isFolder, type TreeNode } from "./node.ts";
import { type Place, walk } from "./walk.ts";

export interface OpenRequest {
  readonly path: string;
  readonly follow: boolean;
  readonly oflags: number;
  readonly fdflags: number;
  readonly rights: number;
  readonly inheriting: number;
}

/**
 * What `path_open` opens, made or emptied as asked; the caller gives it a number.
 * @throws WasiFault as POSIX `open`; mfile before anything is made.
 */
export function openPlace(files: Descriptors, start: AnyFolder, request: OpenRequest): Descriptor {
  const { oflags, rights } = request;
  const wants = (flag: number): boolean => (oflags & flag) !== 0;
  if (wants(OFLAGS.creat) && wants(OFLAGS.directory)) refuse("inval");
  if ((oflags & ~15) !== 0 || (request.fdflags & ~ALL_FDFLAGS) !== 0) refuse("inval");
  files.checkFree();
  const exclusive = wants(OFLAGS.creat) && wants(OFLAGS.excl);
  const place = walk(files.tree, start, request.path, request.follow && !exclusive);
  const node = existing(place, exclusive) ?? create(files, place, wants(OFLAGS.creat));
  const writes = (rights & RIGHTS.fdWrite) !== 0 || wants(OFLAGS.trunc);

  if (node.kind === "symlink") refuse("loop");
  if (isFolder(node)) {
    if (writes || wants(OFLAGS.creat)) refuse("isdir");
  } else {
    if (wants(OFLAGS.directory) || place.slash) refuse("notdir");
    if (isFile(node) && node.sealed && writes) refuse("rofs");
    if (node.kind === "mountedFile") {
      node.access = writes ? "write" : "read";
      node.mount.open(node);
    }
    if (isFile(node) && wants(OFLAGS.trunc) && node.size > 0) resizeContent(files.tree, node, 0);
  }
  return opened(node, rights, request.inheriting, request.fdflags);
}

function existing({ node }: Place, exclusive: boolean): TreeNode | undefined {
  return node !== undefined && exclusive ? refuse("exist") : node;
}

function create(files: Descriptors, place: Place, asked: boolean): TreeNode {
  return asked ? createFile(files.tree, place) : refuse("noent");
}
