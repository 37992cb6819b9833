import { type ErrnoName, refuse } from "../errno.ts";

/** Codes of Node's file functions as WASI's; what is not here is `io`. */
const CODES: Readonly<Record<string, ErrnoName>> = {
  EACCES: "acces",
  EBADF: "badf",
  EBUSY: "busy",
  EDQUOT: "nospc",
  EEXIST: "exist",
  EFBIG: "fbig",
  EINVAL: "inval",
  EISDIR: "isdir",
  ELOOP: "loop",
  EMFILE: "mfile",
  ENAMETOOLONG: "nametoolong",
  ENFILE: "mfile",
  ENOENT: "noent",
  ENOSPC: "nospc",
  ENOTDIR: "notdir",
  ENOTEMPTY: "notempty",
  ENOTSUP: "notsup",
  ENXIO: "perm",
  EPERM: "perm",
  EROFS: "rofs",
  EXDEV: "xdev",
  ERR_ACCESS_DENIED: "acces",
  ERR_INVALID_ARG_VALUE: "inval",
};

/** Does something with the machine's files; its error is told by number alone, so that no path of the machine is. */
export function withErrno<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Deno's own refusal has a name and no code.
    if (error.name === "NotCapable") refuse("acces");
    if (!("code" in error)) throw error;
    return refuse(CODES[String(error.code)] ?? "io");
  }
}
