import type { WorkerOptions } from "node:worker_threads";
import { fromSource, isPacked, programFolder } from "../engine/assets.ts";
import { type Budget, currentBudget } from "../engine/v8-flags.ts";

/** What `new Worker(script, options)` takes to start a thread of this program. */
export interface WorkerEntry {
  readonly script: string | URL;
  readonly options: Pick<WorkerOptions, "eval" | "env" | "execArgv" | "resourceLimits" | "workerData">;
}

/** Assets of the packed binary alone: the script of the threads as one function, and what V8 made of it under a budget. */
export const THREAD_SCRIPT = "thread.cjs";
export function threadCode(budget: Budget): string {
  return `thread-${budget}.code`;
}

/**
 * The script as a function of what a module has; V8 parses and compiles none of it that was run when the build made the
 * code. What it refuses, being another V8, it compiles as any.
 */
const PACKED_ENTRY = `const { Script } = require("node:vm");
const { getRawAsset } = require("node:sea");
const { workerData: code } = require("node:worker_threads");
const source = new TextDecoder().decode(getRawAsset("${THREAD_SCRIPT}"));
new Script(source, { filename: "${THREAD_SCRIPT}", cachedData: new Uint8Array(getRawAsset(code)) }).runInThisContext()(require, "${THREAD_SCRIPT}");`;

/**
 * The script of the worker threads, with an empty environment and no rights but to read these assets, and those given as Node's flags.
 * A thread's rights come from its `execArgv`: left out as `[]` it would have all of them, whatever the
 * rights of the thread that started it.
 */
export function workerEntry(rights: readonly string[] = []): WorkerEntry {
  if (isPacked()) {
    // Told what it is, Node doesn't compile the text once more to see whether it may be TypeScript.
    const execArgv = ["--permission", "--input-type=commonjs", ...rights];
    return { script: PACKED_ENTRY, options: { eval: true, env: {}, execArgv, workerData: threadCode(currentBudget()) } };
  }
  const script = new URL(fromSource() ? "./worker.ts" : "./worker.cjs", import.meta.url);
  // Deno has no such flags; its own permissions hold for every thread.
  if ("Deno" in globalThis) return { script, options: { env: {} } };
  return { script, options: { env: {}, execArgv: ["--permission", `--allow-fs-read=${programFolder()}`, ...rights] } };
}
