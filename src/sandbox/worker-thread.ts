import { setFlagsFromString } from "node:v8";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { GARBAGE_FLAG } from "../engine/garbage.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import type { GuestParts } from "../guests/modules.ts";
import type { WorkFile } from "../host/files/workspace.ts";
import type { FromNet, ToNet } from "../host/net/messages.ts";
import { folderRights } from "../host/mounts/roots.ts";
import { type Grants, type GrantUse, mountedFolders } from "../policy/grants.ts";
import type { Killer } from "../policy/killers.ts";
import type { Language, Limits } from "../policy/limits.ts";
import type { FromWorker, KeptTurn, Rest, ToWorker } from "./worker-messages.ts";
import type { Finished } from "./sandboxes.ts";
import { type WorkerEntry, workerEntry } from "./worker-entry.ts";
import { graceMs, raise, SHARED, wake } from "./stop.ts";

/** A thread that takes longer is stuck in the host and is ended. */
export interface Patience {
  /** From the sending of a turn to its beginning: making a sandbox ready takes seconds on a machine that is very busy. */
  readonly readyMs: number;
  /** From the hard stop of a turn to its answer. */
  readonly answerMs: number;
}

const PATIENCE: Patience = { readyMs: 60_000, answerMs: 5_000 };
/** For guests that recurse: the thread's stack, and what V8 may use of it. */
const STACK_MB = 64;
/** For reports and what is made of them; what is larger ends the thread, and not the engine. */
const HEAP_MB = 512;
/** For what is new in it; V8 would let it grow to eight times that before it looks what of it can go. */
const YOUNG_MB = 6;

export interface ThreadTurn {
  readonly code: string;
  readonly limits: Limits;
  readonly files: readonly WorkFile[];
  /** Set for the turn of a named sandbox. */
  readonly kept?: Omit<KeptTurn, "held"> & {
    /** Told after the answer what the turn left; nothing when its thread died. */
    readonly onRest: (rest: Rest | undefined) => void;
  };
  readonly profile: boolean;
  readonly onProgress?: (progress: { elapsedMs: number; fuel: number; line: string }) => void;
  readonly onUses?: (uses: readonly GrantUse[]) => void;
  /** Takes what the turn asks of the network; none when no host was allowed. */
  readonly onNet?: (message: ToNet) => void;
}

/** A worker thread that runs one turn at a time; disposing it ends the thread. */
export interface WorkerThread extends AsyncDisposable {
  /** Resolves when the guest in it is ready. */
  readonly ready: Promise<void>;
  /** @throws the reason when the thread dies before it has answered. */
  run(turn: ThreadTurn): Promise<Finished>;
  /** Stops the running turn at its next yield. */
  kill(by: Killer): void;
  /** Hands the running turn what came from the network. */
  deliver(message: FromNet): void;
  readonly alive: boolean;
  /** False while it does what follows an answer: a turn sent meanwhile waits for that. */
  readonly isClean: boolean;
  /** The named sandbox at rest that is still loaded in it. */
  readonly holds: SavedSandbox | undefined;
}

interface Running {
  readonly flag: Int32Array;
  readonly turn: ThreadTurn;
  readonly settle: { resolve(finished: Finished): void; reject(reason: Error): void };
  watchdog: NodeJS.Timeout;
  readonly net: MessagePort | undefined;
}

export interface ThreadOptions {
  readonly language: Language;
  /** Waited for while the thread starts. */
  readonly parts: GuestParts;
  /** False when another thread has run the same modules before. */
  readonly first: boolean;
  /** Memory ceiling of the sandboxes made ready ahead. */
  readonly memoryBytes: number;
  readonly grants: Grants;
  /** What runs in the thread: this program's own script unless given. */
  readonly entry?: WorkerEntry;
  /** A thread that was started ahead, of that script and with the rights of these grants. */
  readonly started?: Worker;
  readonly patience?: Patience;
}

/** Starts a thread that waits for what it is to load; until a `WorkerThread` is made of it, nobody hears that it failed. */
export function startThread({ script, options }: WorkerEntry): Worker {
  setFlagsFromString(GARBAGE_FLAG);
  const limits = { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB };
  return new Worker(script, { ...options, resourceLimits: { ...limits, ...options.resourceLimits } });
}

/** Loads a guest into a thread, which is started unless it is given. */
export function startWorkerThread({ language, parts, first, memoryBytes, grants, entry, started, patience = PATIENCE }: ThreadOptions): WorkerThread {
  const worker = started ?? startThread(entry ?? workerEntry(folderRights(mountedFolders(grants))));
  const { promise: ready, resolve: becomeReady, reject: failToLoad } = Promise.withResolvers<void>();
  let running: Running | undefined;
  let alive = true;
  let holds: SavedSandbox | undefined;
  let isClean = true;
  /** What the memory of the instance in it may grow to: what is held under another ceiling is loaded anew. */
  let ceiling = 0;
  /** One for each turn of a named sandbox whose rest hasn't been told: the next turn may come before it. */
  const awaitRest: ((rest: Rest | undefined) => void)[] = [];

  const send = (message: ToWorker): void => worker.postMessage(message, message.kind === "run" && message.net ? [message.net] : []);
  const finish = (): Running | undefined => {
    const done = running;
    running = undefined;
    if (done !== undefined) clearTimeout(done.watchdog);
    done?.net?.close();
    return done;
  };
  const die = (reason: Error): void => {
    alive = false;
    failToLoad(reason);
    finish()?.settle.reject(reason);
    for (const tell of awaitRest.splice(0)) tell(undefined);
  };
  /** Ends the thread if nothing is heard of it, in its time or by then: this one may have been held up itself. */
  const watch = (ms: number, reason: string): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (running?.watchdog !== timer) return;
        die(new Error(reason));
        void worker.terminate();
      });
    }, ms);
    return timer;
  };
  const begun = (): void => {
    if (running === undefined) return;
    const { wallTimeMs } = running.turn.limits;
    clearTimeout(running.watchdog);
    running.watchdog = watch(wallTimeMs + graceMs(wallTimeMs) + patience.answerMs, "it did not stop at its deadline");
  };

  worker.on("message", (message: FromWorker) => {
    if (message.kind === "ready") becomeReady();
    else if (message.kind === "failed") die(new Error(message.reason));
    else if (message.kind === "begun") begun();
    else if (message.kind === "progress") running?.turn.onProgress?.(message);
    else if (message.kind === "used") running?.turn.onUses?.(message.uses);
    else if (message.kind === "done") finish()?.settle.resolve(message.finished);
    else if (message.kind === "clean") isClean = running === undefined;
    else {
      // A turn that was sent meanwhile takes the place of what this one left.
      holds = running === undefined ? message.saved : undefined;
      awaitRest.shift()?.(message);
    }
  });
  worker.on("error", (error) => die(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => die(new Error(`its thread ended with code ${code}`)));
  ready.catch(() => {});
  const load = async (): Promise<void> => {
    send({ kind: "load", language, rooms: await parts.rooms, first, memoryBytes, grants });
    send({ kind: "modules", modules: await parts.modules });
  };
  load().catch((reason: Error) => {
    die(reason);
    void worker.terminate();
  });

  return {
    ready,
    get alive() {
      return alive;
    },
    get isClean() {
      return isClean;
    },
    get holds() {
      return holds;
    },
    run(turn) {
      const { promise, resolve, reject } = Promise.withResolvers<Finished>();
      const { kept } = turn;
      if (!alive) {
        kept?.onRest(undefined);
        return Promise.reject(new Error("its thread has ended"));
      }
      const flag = new SharedArrayBuffer(SHARED.bytes);
      const net = turn.onNet && channelTo(turn.onNet);
      const watchdog = watch(patience.readyMs, "its sandbox could not be made ready");
      running = { flag: new Int32Array(flag), turn, settle: { resolve, reject }, watchdog, net: net?.here };
      const wanted = Math.max(turn.limits.memoryBytes, kept?.saved?.memoryBytes ?? 0);
      const held = kept?.saved !== undefined && kept.saved === holds && ceiling === wanted;
      ceiling = wanted;
      holds = undefined;
      isClean = false;
      if (kept !== undefined) awaitRest.push(kept.onRest);
      send({
        kind: "run",
        code: turn.code,
        limits: turn.limits,
        files: turn.files,
        flag,
        progress: turn.onProgress !== undefined,
        profile: turn.profile,
        ...(net && { net: net.there }),
        ...(kept && { kept: { name: kept.name, saved: held ? undefined : kept.saved, held, reseed: kept.reseed, dropPending: kept.dropPending } }),
      });
      return promise;
    },
    kill(by) {
      if (running !== undefined) raise(running.flag, by);
    },
    deliver(message) {
      if (running?.net === undefined) return;
      running.net.postMessage(message);
      wake(running.flag);
    },
    async [Symbol.asyncDispose]() {
      alive = false;
      await worker.terminate();
    },
  };
}

/** A channel of one turn's own: nothing of another's can come through it. */
function channelTo(onNet: (message: ToNet) => void): { readonly here: MessagePort; readonly there: MessagePort } {
  const { port1: here, port2: there } = new MessageChannel();
  here.on("message", onNet);
  return { here, there };
}
