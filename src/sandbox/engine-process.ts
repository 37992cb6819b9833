import { type ChildProcess, spawn } from "node:child_process";
import { isPacked, programFolder } from "../engine/assets.ts";
import type { Language } from "../policy/limits.ts";

/** The engine's rights: no files but its own assets, no network, no processes. */
const ENGINE_FLAGS = ["--permission", "--allow-worker", "--disable-warning=PERM0006"];

/** To fill 100 MB page by page takes longer than to unpack them: the C library asks for large pages where the system has some. */
const LARGE_PAGES = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

/**
 * Starts the engine as a child process of this same program, with nothing of the environment; it begins the languages of
 * `ahead` at once. `rights` are flags of Node that open more to it, and to its threads. Apart from the link to it, and light to load, so that
 * it starts before what it is to be told.
 */
export function startEngineProcess(rights: readonly string[], ahead: readonly Language[]): ChildProcess {
  return spawn(process.execPath, engineArguments(rights, ahead), {
    env: process.platform === "linux" ? LARGE_PAGES : {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
    windowsHide: true,
  });
}

/** A packed binary takes the flags in one argument of its own; a program on disk must be allowed to read itself. */
function engineArguments(rights: readonly string[], ahead: readonly Language[]): string[] {
  const script = process.argv[1];
  if (isPacked() || script === undefined) return [`--node-options=${[...ENGINE_FLAGS, ...rights].map(quoted).join(" ")}`, "engine", ...ahead, ...rights];
  return [...ENGINE_FLAGS, ...rights, `--allow-fs-read=${programFolder()}`, script, "engine", ...ahead, ...rights];
}

/** As NODE_OPTIONS has it: a path may hold spaces. */
function quoted(flag: string): string {
  return `"${flag.replaceAll(/["\\]/g, "\\$&")}"`;
}
