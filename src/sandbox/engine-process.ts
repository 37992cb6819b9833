import { type ChildProcess, spawn } from "node:child_process";
import { parse } from "node:path";
import { isPacked, programFolder, withProgram } from "../engine/assets.ts";

/** The engine's rights: no files but its own assets, no network, no processes. */
const ENGINE_FLAGS = ["--permission", "--allow-worker", "--disable-warning=PERM0006"];

/**
 * All of its environment: how glibc keeps memory. By itself it has a heap for each thread, and once a large buffer has been
 * freed, it keeps the next ones in those, where what is freed stays. And to fill 100 MB by small pages takes longer than to
 * unpack them: it asks for large ones, where the system has some.
 */
const ALLOCATION = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1", MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "1048576", MALLOC_TRIM_THRESHOLD_: "1048576" } as const;

/**
 * Starts the engine as a child process of this same program, with nothing of the user's environment. `rights` are
 * flags of Node that open more to it, and to its threads. Apart from the link to it, and light to load, so that it starts
 * before what it is to be told.
 */
export function startEngineProcess(rights: readonly string[]): ChildProcess {
  return withProgram((program) =>
    spawn(process.execPath, engineArguments(rights), {
      env: ALLOCATION,
      // A thread can't start in a folder that has been removed.
      cwd: parse(process.execPath).root,
      stdio: ["ignore", "ignore", "inherit", "ipc", ...(program === undefined ? [] : [program])],
      serialization: "advanced",
      windowsHide: true,
    }),
  );
}

/** A packed binary takes the flags in one argument of its own; a program on disk must be allowed to read itself. */
function engineArguments(rights: readonly string[]): string[] {
  const script = process.argv[1];
  if (isPacked() || script === undefined) return [`--node-options=${[...ENGINE_FLAGS, ...rights].map(quoted).join(" ")}`, "engine", ...rights];
  return [...ENGINE_FLAGS, ...rights, `--allow-fs-read=${programFolder()}`, script, "engine", ...rights];
}

/** As NODE_OPTIONS has it: a path may hold spaces. */
function quoted(flag: string): string {
  return `"${flag.replaceAll(/["\\]/g, "\\$&")}"`;
}
