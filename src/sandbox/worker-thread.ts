import { Worker } from "node:worker_threads";
import { workerEntry } from "../engine/assets.ts";
import type { GuestAssets } from "../guests/load.ts";
import type { WorkFile } from "../host/files/workspace.ts";
import type { Limits } from "../policy/limits.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";
import type { Finished } from "./sandboxes.ts";
import { graceMs } from "./stop.ts";

/** Beyond the hard stop: a thread that still hasn't answered is stuck in the host and is ended. */
const WATCHDOG_MS = 1_500;
/** For guests that recurse: the thread's stack, and what V8 may use of it. */
const STACK_MB = 64;

export interface ThreadTurn {
  readonly code: string;
  readonly limits: Limits;
  readonly files: readonly WorkFile[];
  readonly onProgress?: (progress: { elapsedMs: number; fuel: number; line: string }) => void;
}

/** A worker thread that runs one turn at a time; disposing it ends the thread. */
export interface WorkerThread extends AsyncDisposable {
  /** Resolves when the guest in it is ready. */
  readonly ready: Promise<void>;
  /** @throws the reason when the thread dies before it has answered. */
  run(turn: ThreadTurn): Promise<Finished>;
  /** Stops the running turn at its next yield. */
  kill(): void;
  readonly alive: boolean;
}

interface Running {
  readonly flag: Int32Array;
  readonly turn: ThreadTurn;
  readonly settle: { resolve(finished: Finished): void; reject(reason: Error): void };
  readonly watchdog: NodeJS.Timeout;
}

/** Starts a thread and loads a guest into it. */
export function startWorkerThread(assets: GuestAssets, memoryBytes: number): WorkerThread {
  const { script, options } = workerEntry();
  const worker = new Worker(script, { ...options, resourceLimits: { stackSizeMb: STACK_MB } });
  const { promise: ready, resolve: becomeReady, reject: failToLoad } = Promise.withResolvers<void>();
  let running: Running | undefined;
  let alive = true;

  const send = (message: ToWorker): void => worker.postMessage(message);
  const finish = (): Running | undefined => {
    const done = running;
    running = undefined;
    if (done !== undefined) clearTimeout(done.watchdog);
    return done;
  };
  const die = (reason: Error): void => {
    alive = false;
    failToLoad(reason);
    finish()?.settle.reject(reason);
  };

  worker.on("message", (message: FromWorker) => {
    if (message.kind === "ready") becomeReady();
    else if (message.kind === "progress") running?.turn.onProgress?.(message);
    else finish()?.settle.resolve(message.finished);
  });
  worker.on("error", (error) => die(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => die(new Error(`its thread ended with code ${code}`)));
  ready.catch(() => {});
  send({ kind: "load", assets, memoryBytes });

  return {
    ready,
    get alive() {
      return alive;
    },
    run(turn) {
      const { promise, resolve, reject } = Promise.withResolvers<Finished>();
      if (!alive) return Promise.reject(new Error("its thread has ended"));
      const flag = new SharedArrayBuffer(4);
      const { wallTimeMs } = turn.limits;
      const watchdog = setTimeout(() => {
        die(new Error("it did not stop at its deadline"));
        void worker.terminate();
      }, wallTimeMs + graceMs(wallTimeMs) + WATCHDOG_MS);
      running = { flag: new Int32Array(flag), turn, settle: { resolve, reject }, watchdog };
      send({ kind: "run", code: turn.code, limits: turn.limits, files: turn.files, flag, progress: turn.onProgress !== undefined });
      return promise;
    },
    kill() {
      if (running === undefined) return;
      Atomics.store(running.flag, 0, 1);
      Atomics.notify(running.flag, 0);
    },
    async [Symbol.asyncDispose]() {
      alive = false;
      await worker.terminate();
    },
  };
}
