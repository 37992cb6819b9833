import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { type Moment, moment } from "../base/moments.ts";
import { setGuestFlags } from "../engine/v8-flags.ts";
import { compileGuest } from "../guests/modules.ts";
import type { Language, Limits } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import type { FromEngine, Stores, ToEngine } from "./engine-messages.ts";
import { openPool, type Pool, type PoolTurn } from "./pool.ts";
import { createRegistry, type Registry } from "./registry.ts";
import type { RunRequest, SandboxOptions } from "./sandboxes.ts";
import { createStateLink } from "./store.ts";
import { workerEntry } from "./worker-entry.ts";
import { startThread } from "./worker-thread.ts";

const MIB = 1_048_576;
/** How often sandboxes and threads that are long unused are looked for. */
const TIDY_MS = 30_000;
/** A call that is there from the beginning comes within this time. */
const FIRST_CALL_MS = 100;

/** Holds the sandboxes and their threads; knows nothing of the user's grants. */
export interface Engine extends AsyncDisposable {
  receive(message: ToEngine): void;
}

/**
 * Makes an engine that answers through `send`.
 * @param thread one that was started before the engine is told anything, for whichever language is opened first
 */
export function createEngine(send: (message: FromEngine) => void, thread?: Worker): Engine {
  let started = thread;
  let options: SandboxOptions | undefined;
  let closed = false;
  const pools = new Map<Language, Pool>();
  /** What is being done for callers. */
  const underWay = new Set<Promise<void>>();
  /** Each owner's sandboxes are out of reach for all others, by being in a registry of their own. */
  const registries = new Map<string, Registry>();
  const state = createStateLink((id, request) => send({ kind: "state", id, request }));
  let stored: Stores = new Map();

  const registryOf = (owner: string): Registry => {
    const known = registries.get(owner);
    if (known !== undefined || options === undefined) return known ?? createRegistry({ pools, most: 0 });
    const files = stored.get(owner);
    const { sandboxes: most, stored: mostStored, idleMs } = options;
    const registry = createRegistry({
      pools,
      most,
      ...(files && { stored: { store: state.storeOf(owner), files, most: mostStored, idleMs } }),
    });
    registries.set(owner, registry);
    return registry;
  };
  const tidying = setInterval(() => {
    for (const holder of [...registries.values(), ...pools.values()]) holder.tidy();
  }, TIDY_MS);
  tidying.unref();

  const open = (given: SandboxOptions, files: Stores): void => {
    options = given;
    stored = files;
    void openAhead(given);
  };

  /**
   * One after the other, and none in the way of a call, which opens its language at once: to compile Python takes all of a
   * processor for a while, and this thread with it, so an answer would have to wait.
   */
  const openAhead = async (given: SandboxOptions): Promise<void> => {
    await sleep(FIRST_CALL_MS);
    for (const language of given.ahead) {
      while (underWay.size > 0) await Promise.race(underWay);
      if (closed) return;
      const { ready } = pools.get(language) ?? openLanguage(language, given);
      await ready.catch(() => {});
    }
  };

  const openLanguage = (language: Language, { memoryMb, workers, grants }: SandboxOptions): Pool => {
    const pool = openPool({ language, memoryBytes: memoryMb[language] * MIB, workers, grants, parts: compileGuest(language), started });
    started = undefined;
    pools.set(language, pool);
    pool.ready.then(
      () => send({ kind: "ready", language }),
      (error: unknown) => send({ kind: "failed", language, reason: messageOf(error) }),
    );
    return pool;
  };

  const run = async ({ id, owner, request, progress, profile }: Extract<ToEngine, { kind: "run" }>): Promise<void> => {
    if (options === undefined) throw new Error(sentences.engineGone());
    const pool = pools.get(request.language) ?? openLanguage(request.language, options);
    const moments: Moment[] = [];
    const note = (stage: string): unknown => profile && moments.push(moment(stage));
    note("to the engine");
    const turn: PoolTurn = {
      id,
      code: request.code,
      files: request.files,
      limits: limitsOf(request, options),
      profile,
      onStart: () => {
        note("wait for a thread");
        send({ kind: "started", id });
      },
      onUses: (uses) => send({ kind: "used", id, uses: [...uses] }),
      ...(options.grants.net.length > 0 ? { onNet: (message) => send({ kind: "net", id, message }) } : {}),
      ...(progress ? { onProgress: (state) => send({ kind: "progress", id, ...state }) } : {}),
    };
    const { sandbox, language } = request;
    const finished = await (sandbox === undefined ? pool.run(turn) : registryOf(owner).run(sandbox, language, turn));
    const { outcome, pictures, files } = finished;
    moments.push(...(finished.moments ?? []));
    note("back to the engine");
    send({ kind: "done", id, outcome, pictures: [...pictures], files: [...files], ...(profile && { moments }) });
  };

  /** What can't be done is answered with its reason. */
  const answer = (id: string, work: Promise<void>): void => {
    const answered = work.catch((error: unknown) => send({ kind: "refused", id, reason: messageOf(error) }));
    underWay.add(answered);
    void answered.then(() => underWay.delete(answered));
  };

  return {
    receive(message) {
      switch (message.kind) {
        case "open":
          return open(message.options, message.stored ?? new Map());
        case "run":
          return answer(message.id, run(message));
        case "list":
          return send({ kind: "listed", id: message.id, sandboxes: registryOf(message.owner).list() });
        case "fork": {
          const { id, owner, request } = message;
          const forked = registryOf(owner).fork(request);
          return answer(id, forked.then((made) => send({ kind: "listed", id, sandboxes: [made] })));
        }
        case "close": {
          const { id, owner, name } = message;
          return answer(id, registryOf(owner).close(name).then((found) => send({ kind: "closed", id, found })));
        }
        case "state":
          return state.receive(message.id, message.answer);
        case "net":
          for (const pool of pools.values()) if (pool.deliver(message.id, message.message)) return;
          return;
        case "stop":
          for (const holder of [...registries.values(), ...pools.values()]) if (holder.kill(message.id, message.by)) return;
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(tidying);
      await Promise.all([...pools.values()].map((pool) => pool[Symbol.asyncDispose]()));
    },
  };
}

function limitsOf(request: RunRequest, { outputBytes, fileBytes }: SandboxOptions): Limits {
  const { timeoutMs: wallTimeMs, fuel, memoryMb } = request;
  return { wallTimeMs, fuel, memoryBytes: memoryMb * MIB, outputBytes, fileBytes };
}

/**
 * The engine as a process of its own: speaks over the channel it was started with, and ends with it. Before it is told
 * anything it starts a thread, with `rights` as Node's flags; to compile what is not called for would only be in its way.
 */
export function runEngine(rights: readonly string[]): void {
  // The C library has read what there is.
  for (const name of Object.keys(process.env)) delete process.env[name];
  setGuestFlags();
  const engine = createEngine((message) => void process.send?.(message), startThread(workerEntry(rights)));
  process.on("message", (message: ToEngine) => engine.receive(message));
  process.on("disconnect", () => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
}
