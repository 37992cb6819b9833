import { BelljarError } from "../../src/base/errors.ts";
import type { Outcome, Picture } from "../../src/policy/outcome.ts";
import { type Killer, killerOf } from "../../src/policy/killers.ts";
import { sentences } from "../../src/policy/sentences.ts";
import type { Execution, Progress, RunHooks, RunRequest, Sandboxes } from "../../src/sandbox/sandboxes.ts";

/** An outcome with only what matters to a test. */
export function outcomeOf(parts: Partial<Outcome>): Outcome {
  return { status: "ok", stdout: "", stderr: "", usage: { wall_ms: 1, fuel: 2, memory_bytes: 3 }, ...parts };
}

/** Sandboxes that answer as a test tells them to, and note what they were asked. */
export interface FakeSandboxes extends Sandboxes {
  readonly requests: RunRequest[];
  readonly disposed: () => boolean;
}

export interface Script {
  readonly outcome?: Partial<Outcome>;
  readonly pictures?: readonly Picture[];
  readonly progress?: readonly Progress[];
  /** Waits for the abort signal or a kill, and ends as killed. */
  readonly hang?: boolean;
  readonly full?: boolean;
  readonly fault?: string;
}

/** Sandboxes in memory that play a script on every run. */
export function fakeSandboxes(script: Script = {}): FakeSandboxes {
  const requests: RunRequest[] = [];
  const running = new Map<string, { readonly execution: Execution; readonly stop: (by: Killer) => void }>();
  let disposed = false;

  const hang = async (request: RunRequest, hooks: RunHooks): Promise<Outcome> => {
    const id = `run-${String(requests.length)}`;
    const { promise, resolve } = Promise.withResolvers<Killer>();
    running.set(id, { execution: { id, language: request.language, sandbox: request.sandbox, state: "running", elapsedMs: 1_234 }, stop: resolve });
    hooks.signal?.addEventListener("abort", () => resolve(killerOf(hooks.signal?.reason)));
    hooks.onProgress?.({ executionId: id, elapsedMs: 0, fuel: 0, line: "" });
    const killer = await promise;
    running.delete(id);
    return outcomeOf({ status: "killed", error: { type: "Killed", message: sentences.killed(killer) } });
  };

  return {
    requests,
    disposed: () => disposed,
    async run(request, hooks = {}) {
      requests.push(request);
      if (script.full === true) throw new BelljarError("QUEUE_FULL", sentences.queueFull(256));
      if (script.fault !== undefined) throw new Error(script.fault);
      for (const progress of script.progress ?? []) hooks.onProgress?.(progress);
      const outcome = script.hang === true ? await hang(request, hooks) : outcomeOf(script.outcome ?? {});
      return { outcome, pictures: script.pictures ?? [], files: [] };
    },
    list: async () => [],
    fork: async ({ from }) => {
      throw new BelljarError("REFUSED", sentences.noSandbox(from, []));
    },
    close: async () => false,
    ready: () => Promise.resolve(1),
    executions: () => [...running.values()].map(({ execution }) => execution),
    kill(id) {
      running.get(id)?.stop("kill_execution");
      return running.has(id);
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
    },
  };
}
