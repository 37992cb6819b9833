import { spawnSync } from "node:child_process";
import { BINARY } from "./paths.ts";

/** Runs what was packed, and gives its exit code. */
export function start(args: readonly string[]): number {
  const { status, error } = spawnSync(BINARY, args, { stdio: "inherit", windowsHide: true });
  if (error !== undefined) throw error;
  return status ?? 1;
}
