import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.ts";

/** The rights that Belljar needs under Deno: its own files, and the variables of its flags. */
export const DENO_RIGHTS = ["--no-prompt", "--allow-read=dist", "--allow-env=BELLJAR_*"];

/** Runs the end-to-end tests on Deno in place of the packed binary, and gives the exit code. */
export function testOnDeno(args: readonly string[]): number {
  const [platform = ""] = readdirSync(join(ROOT, "node_modules", "@deno"));
  const deno = join("node_modules", "@deno", platform, process.platform === "win32" ? "deno.exe" : "deno");
  const rights = DENO_RIGHTS.map((right) => right.replace("dist", join(ROOT, "dist")));
  const command = [deno, "run", ...rights, join("dist", "belljar.cjs")].join(" ");
  const tests = args.length > 0 ? args : ["test/e2e/**/*.test.ts"];
  const env = { ...process.env, BELLJAR_E2E_COMMAND: command };
  return spawnSync(process.execPath, ["--test", ...tests], { cwd: ROOT, stdio: "inherit", env }).status ?? 1;
}
