import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUDGET_NAMES } from "../src/engine/v8-flags.ts";
import { THREAD_SCRIPT, threadCode as codeOf } from "../src/sandbox/worker-entry.ts";
import { DIST, STAGE } from "./paths.ts";
import type { Step } from "./step.ts";

/**
 * For a snapshot that comes out the same each time, since V8 takes code only beside the snapshot that it was made beside. The
 * seeds hold for the build: a process that starts from a snapshot has seeds of its own. A warning would fix, for all that
 * start from it, which ones are shown.
 */
export const SNAPSHOT_FLAGS: readonly string[] = ["--hash-seed=1", "--random-seed=1", "--no-warnings"];

const PROGRAM = join(DIST, "belljar.cjs");
const SNAPSHOT = join(STAGE, "program.snapshot");
const MAKER = join(import.meta.dirname, "thread-code-maker.ts");

/** What the binary's threads start with, by the name of the asset. */
export const THREAD_ASSETS: Readonly<Record<string, string>> = Object.fromEntries(
  [THREAD_SCRIPT, ...BUDGET_NAMES.map(codeOf)].map((name) => [name, join(STAGE, name)]),
);

/** The script of the threads as a function of what a module has, and what V8 compiles of it when both languages run. */
export const threadCode: Step = {
  name: "thread-code",
  inputs: ["build/thread-code.ts", "build/thread-code-maker.ts"],
  after: ["guests", "shipped", "bundle"],
  outputs: Object.keys(THREAD_ASSETS).map((name) => `dist/stage/${name}`),
  run() {
    const script = readFileSync(join(DIST, "worker.cjs"), "utf8");
    writeFileSync(join(STAGE, THREAD_SCRIPT), `(function (require, __filename) {${script}\n})`);
    const node = (...args: readonly string[]): unknown =>
      execFileSync(process.execPath, ["--snapshot-blob", SNAPSHOT, ...args], { stdio: ["ignore", "ignore", "inherit"], killSignal: "SIGKILL", timeout: 120_000 });
    node(...SNAPSHOT_FLAGS, "--build-snapshot", PROGRAM);
    // The engine waits for a parent that never speaks, while the maker does its work and ends the process.
    node("--require", MAKER, PROGRAM, "engine");
  },
};
