import { WasiFault } from "./errno.ts";
import { argsFunctions, environFunctions } from "./wasi/args.ts";
import { clockFunctions } from "./wasi/clock.ts";
import type { WasiContext } from "./wasi/context.ts";
import { fdFunctions } from "./wasi/fd.ts";
import { fdIoFunctions } from "./wasi/fd-io.ts";
import { pathFunctions } from "./wasi/path.ts";
import { pointers } from "./wasi/pointers.ts";
import { pollFunctions } from "./wasi/poll.ts";
import { procFunctions } from "./wasi/proc.ts";
import { randomFunctions } from "./wasi/random.ts";
import { sockFunctions } from "./wasi/sock.ts";

/** The module name that guests import preview 1 from. */
export const WASI_MODULE = "wasi_snapshot_preview1";

/** Every name of WASI preview 1 that a guest may import; what is not here fails to link. */
export const WASI_FUNCTIONS = [
  "args_get",
  "args_sizes_get",
  "clock_res_get",
  "clock_time_get",
  "environ_get",
  "environ_sizes_get",
  "fd_advise",
  "fd_close",
  "fd_datasync",
  "fd_fdstat_get",
  "fd_fdstat_set_flags",
  "fd_filestat_get",
  "fd_filestat_set_size",
  "fd_filestat_set_times",
  "fd_pread",
  "fd_prestat_dir_name",
  "fd_prestat_get",
  "fd_pwrite",
  "fd_read",
  "fd_readdir",
  "fd_seek",
  "fd_sync",
  "fd_tell",
  "fd_write",
  "path_create_directory",
  "path_filestat_get",
  "path_filestat_set_times",
  "path_link",
  "path_open",
  "path_readlink",
  "path_remove_directory",
  "path_rename",
  "path_symlink",
  "path_unlink_file",
  "poll_oneoff",
  "proc_exit",
  "random_get",
  "sched_yield",
  "sock_accept",
  "sock_recv",
  "sock_send",
  "sock_shutdown",
] as const;

type WasiName = (typeof WASI_FUNCTIONS)[number];

/** A function as it is imported: Wasm numbers in, an errno out. */
export type WasiImport = (...args: never[]) => number;

/** The WASI imports over one context: a fresh object with the listed names and nothing else. */
export function wasiImports(context: WasiContext): Record<string, WasiImport> {
  const guest = pointers(context.memory, context.touched);
  const functions: Record<WasiName, (...args: never[]) => void> = {
    ...argsFunctions(context, guest),
    ...clockFunctions(context, guest),
    ...environFunctions(context, guest),
    ...fdFunctions(context, guest),
    ...fdIoFunctions(context, guest),
    ...pathFunctions(context, guest),
    ...pollFunctions(context, guest),
    ...procFunctions(context),
    ...randomFunctions(context, guest),
    ...sockFunctions(),
  };
  const imports: Record<string, WasiImport> = {};
  for (const name of WASI_FUNCTIONS) imports[name] = answering(functions[name], () => context.look());
  return imports;
}

/** Answers with the errno of what the function refuses; what else is thrown unwinds the guest. */
function answering(call: (...args: never[]) => void, look: () => void): WasiImport {
  return (...args) => {
    let errno = 0;
    try {
      call(...args);
    } catch (error) {
      if (!(error instanceof WasiFault)) throw error;
      errno = error.errno;
    }
    look();
    return errno;
  };
}
