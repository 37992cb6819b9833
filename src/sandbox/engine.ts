import { setFlagsFromString } from "node:v8";
import type { Language, Limits } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { openPool, type Pool, type PoolTurn } from "./pool.ts";
import { createRegistry } from "./registry.ts";
import type { RunRequest, SandboxOptions } from "./sandboxes.ts";

const MIB = 1_048_576;

/** Holds the sandboxes and their threads; knows nothing of the user's grants. */
export interface Engine extends AsyncDisposable {
  receive(message: ToEngine): void;
}

/** Makes an engine that answers through `send`. */
export function createEngine(send: (message: FromEngine) => void): Engine {
  let options: SandboxOptions | undefined;
  const pools = new Map<Language, Pool>();
  // One client is at the other end; a transport with several gives each a registry of its own.
  let registry = createRegistry({ pools, most: 0 });

  const open = (given: SandboxOptions): void => {
    options = given;
    registry = createRegistry({ pools, most: given.sandboxes });
    for (const language of given.ahead) openLanguage(language, given);
  };

  const openLanguage = (language: Language, { memoryMb, workers }: SandboxOptions): Pool => {
    const pool = openPool({ language, memoryBytes: memoryMb[language] * MIB, workers });
    pools.set(language, pool);
    pool.ready.then(
      () => send({ kind: "ready", language }),
      (error: unknown) => send({ kind: "failed", language, reason: error instanceof Error ? error.message : String(error) }),
    );
    return pool;
  };

  const run = async (id: string, request: RunRequest, progress: boolean): Promise<void> => {
    if (options === undefined) throw new Error(sentences.engineGone());
    const pool = pools.get(request.language) ?? openLanguage(request.language, options);
    const turn: PoolTurn = {
      id,
      code: request.code,
      files: request.files,
      limits: limitsOf(request, options),
      onStart: () => send({ kind: "started", id }),
      ...(progress ? { onProgress: (state) => send({ kind: "progress", id, ...state }) } : {}),
    };
    const { sandbox, language } = request;
    const finished = await (sandbox === undefined ? pool.run(turn) : registry.run(sandbox, language, turn));
    send({ kind: "done", id, outcome: finished.outcome, pictures: [...finished.pictures], files: [...finished.files] });
  };

  /** What can't be done is answered with its reason. */
  const answer = (id: string, work: Promise<void>): void => {
    work.catch((error: unknown) => send({ kind: "refused", id, reason: error instanceof Error ? error.message : String(error) }));
  };

  return {
    receive(message) {
      switch (message.kind) {
        case "open":
          return open(message.options);
        case "run":
          return answer(message.id, run(message.id, message.request, message.progress));
        case "list":
          return send({ kind: "listed", id: message.id, sandboxes: registry.list() });
        case "fork": {
          const listed = registry.fork(message.request).then((made) => send({ kind: "listed", id: message.id, sandboxes: [made] }));
          return answer(message.id, listed);
        }
        case "close":
          return send({ kind: "closed", id: message.id, found: registry.close(message.name) });
        case "stop":
          for (const pool of pools.values()) pool.kill(message.id);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool[Symbol.asyncDispose]()));
    },
  };
}

function limitsOf(request: RunRequest, { outputBytes, fileBytes }: SandboxOptions): Limits {
  const { timeoutMs: wallTimeMs, fuel, memoryMb } = request;
  return { wallTimeMs, fuel, memoryBytes: memoryMb * MIB, outputBytes, fileBytes };
}

/** V8's own limits for guests that recurse, in a promise's stack too. */
const STACK_FLAGS = ["--stack-size=3900", "--wasm-stack-switching-stack-size=8192"];

/** The engine as a process of its own: speaks over the channel it was started with, and ends with it. */
export function runEngine(): void {
  // As switches of the process they would make V8 refuse, with a warning, what the build compiled.
  for (const flag of STACK_FLAGS) setFlagsFromString(flag);
  const engine = createEngine((message) => process.send?.(message));
  process.on("message", (message: ToEngine) => engine.receive(message));
  process.on("disconnect", () => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
}
