import type { Worker } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import type { GuestParts } from "../guests/modules.ts";
import type { FromNet } from "../host/net/messages.ts";
import type { Grants } from "../policy/grants.ts";
import type { Killer } from "../policy/killers.ts";
import type { Language } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import type { Finished } from "./sandboxes.ts";
import type { WorkerEntry } from "./worker-entry.ts";
import { type Patience, startWorkerThread, type ThreadTurn, type WorkerThread } from "./worker-thread.ts";

/** A turn on its way through the pool. */
export interface PoolTurn extends ThreadTurn {
  readonly id: string;
  readonly onStart: () => void;
}

/** The worker threads of one language, and the turns that wait for them: first come, first served. */
export interface Pool extends AsyncDisposable {
  /** Resolves when the first thread can take a turn; rejects when it can't be loaded. */
  readonly ready: Promise<void>;
  run(turn: PoolTurn): Promise<Finished>;
  /** Stops a turn of that id, waiting or running; false when there is none. */
  kill(id: string, by: Killer): boolean;
  /** Hands a running turn of that id what came from the network; false when there is none. */
  deliver(id: string, message: FromNet): boolean;
  /** Ends threads that nothing has come for in a long while, or at once where memory is short; one stays. */
  tidy(): void;
}

interface Waiting {
  readonly turn: PoolTurn;
  readonly resolve: (finished: Finished) => void;
}

export interface PoolOptions {
  readonly language: Language;
  /** Memory ceiling of the sandboxes made ready ahead. */
  readonly memoryBytes: number;
  /** Threads at most. */
  readonly workers: number;
  readonly grants: Grants;
  readonly parts: GuestParts;
  /** What runs in the threads: this program's own script unless given. */
  readonly entry?: WorkerEntry;
  /** The first thread, when it was started ahead. */
  readonly started?: Worker | undefined;
  readonly patience?: Patience;
  /** How long, in milliseconds, a thread beside another may have nothing to do before it is ended. */
  readonly spareMs?: number;
  /** Bytes of memory that this process can still have. */
  readonly available?: () => number;
}

/** From the first answer on, so many threads take turns: one answers while another cleans up. */
const SPARE_THREADS = 2;
/** A person who reads an answer and writes the next question takes no longer. */
const SPARE_MS = 600_000;

/** Threads are started as turns need them, and ended when they have long not been needed or the machine's memory is short. */
export function openPool({ language, memoryBytes, workers, grants, parts, entry, started, patience, spareMs = SPARE_MS, available = availableMemory }: PoolOptions): Pool {
  const queue: Waiting[] = [];
  /** The one that has answered last is the last. */
  const idle: WorkerThread[] = [];
  const idleSince = new WeakMap<WorkerThread, number>();
  const busy = new Map<string, WorkerThread>();
  let isReady = false;
  let threads = 0;
  let closed = false;

  const add = async (started?: Worker): Promise<void> => {
    threads += 1;
    const thread = startWorkerThread({ language, parts, first: !isReady, memoryBytes, grants, ...(entry && { entry }), ...(started && { started }), ...(patience && { patience }) });
    await thread.ready;
    isReady = true;
    if (closed) return thread[Symbol.asyncDispose]();
    rest(thread);
    pump();
  };

  const rest = (thread: WorkerThread): void => {
    idle.push(thread);
    idleSince.set(thread, performance.now());
  };

  /** Less is left than what one sandbox may take. */
  const isShort = (): boolean => available() < memoryBytes;

  /** When no thread is left to wait for, those who wait hear why. */
  const giveUp = (error: unknown): void => {
    threads -= 1;
    if (threads > 0) return;
    for (const { resolve, turn } of queue.splice(0)) {
      turn.kept?.onRest(undefined);
      resolve(crashed(error));
    }
  };

  const grow = (most: number, mayGrow = (): boolean => true): void => {
    if (!closed && threads < Math.min(most, workers) && mayGrow()) add().catch(giveUp);
  };

  /**
   * The idle thread that still holds the sandbox; else, best without any, the one that has answered last of those that are
   * done cleaning up, since the processor still has its memory at hand; else the one that will be done first.
   */
  const pick = (saved: SavedSandbox | undefined): WorkerThread | undefined => {
    const holding = saved === undefined ? -1 : idle.findIndex((thread) => thread.holds === saved);
    const clean = idle.findLastIndex((thread) => thread.isClean && thread.holds === undefined);
    const free = clean >= 0 ? clean : idle.findIndex((thread) => thread.holds === undefined);
    const [thread] = idle.splice(Math.max(0, holding >= 0 ? holding : free), 1);
    return thread;
  };

  const pump = (): void => {
    while (queue.length > 0) {
      const thread = pick(queue[0]?.turn.kept?.saved);
      if (thread === undefined) break;
      if (!thread.alive) {
        threads -= 1;
        continue;
      }
      const next = queue.shift();
      if (next !== undefined) void serve(thread, next);
    }
    // More threads would only keep the first one from becoming ready.
    if (queue.length > 0 && isReady) grow(workers);
  };

  const serve = async (thread: WorkerThread, { turn, resolve }: Waiting): Promise<void> => {
    busy.set(turn.id, thread);
    const running = thread.run(turn);
    // To tell of it takes a while, in which the thread is at work already.
    turn.onStart();
    try {
      resolve(await running);
    } catch (error) {
      resolve(crashed(error));
    }
    busy.delete(turn.id);
    if (thread.alive) rest(thread);
    else threads -= 1;
    pump();
    // The answer goes out first: to start a thread holds up this one.
    setImmediate(() => grow(SPARE_THREADS, () => !isShort()));
  };

  const ready = add(started);
  ready.catch(giveUp);

  return {
    ready,
    run(turn) {
      const { promise, resolve } = Promise.withResolvers<Finished>();
      queue.push({ turn, resolve });
      pump();
      return promise;
    },
    kill(id, by) {
      const thread = busy.get(id);
      if (thread !== undefined) {
        thread.kill(by);
        return true;
      }
      const at = queue.findIndex(({ turn }) => turn.id === id);
      const [waiting] = at < 0 ? [] : queue.splice(at, 1);
      waiting?.turn.kept?.onRest(undefined);
      waiting?.resolve(unstarted("killed", "Killed", sentences.killed(by)));
      return waiting !== undefined;
    },
    deliver(id, message) {
      const thread = busy.get(id);
      thread?.deliver(message);
      return thread !== undefined;
    },
    tidy() {
      const before = performance.now() - (isShort() ? 0 : spareMs);
      // One that is not clean may hold all that there is of what a named sandbox's turn has left.
      const unused = idle.filter((thread) => thread.isClean && (idleSince.get(thread) ?? 0) <= before);
      for (const thread of unused.slice(0, idle.length + busy.size - 1)) {
        idle.splice(idle.indexOf(thread), 1);
        threads -= 1;
        void thread[Symbol.asyncDispose]();
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([...idle, ...busy.values()].map((thread) => thread[Symbol.asyncDispose]()));
    },
  };
}

/** Deno tells of it only by a permission that Belljar doesn't ask for. */
function availableMemory(): number {
  return "Deno" in globalThis ? Infinity : process.availableMemory();
}

function crashed(error: unknown): Finished {
  const reason = messageOf(error);
  return unstarted("crashed", "Crashed", sentences.crashed(reason));
}

/** The outcome of a turn that left nothing behind. */
export function unstarted(status: "killed" | "crashed", type: string, message: string): Finished {
  const usage = { wall_ms: 0, fuel: 0, memory_bytes: 0 };
  return { outcome: { status, error: { type, message }, stdout: "", stderr: "", usage }, pictures: [], files: [] };
}
