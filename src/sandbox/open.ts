import { randomBytes } from "node:crypto";
import { BelljarError } from "../base/errors.ts";
import { LANGUAGES, type Language } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import { embedEngine, spawnEngine, type EngineLink } from "./engine-link.ts";
import type { FromEngine } from "./engine-messages.ts";
import { unstarted } from "./pool.ts";
import type { Finished, RunHooks, RunRequest, Sandboxes, SandboxOptions } from "./sandboxes.ts";

/** An engine that dies this often in a row, before any language was ready, is not started again. */
const MOST_FAILED_STARTS = 3;

interface Call {
  readonly request: RunRequest;
  readonly hooks: RunHooks;
  readonly queuedAt: number;
  readonly resolve: (finished: Finished) => void;
  started: boolean;
}

interface Readiness {
  readonly promise: Promise<number>;
  readonly resolve: (ms: number) => void;
  readonly reject: (error: Error) => void;
}

/** Starts an engine and keeps one running: when it dies, its running turns are answered and the queue moves on. */
export function openSandboxes(options: SandboxOptions): Sandboxes {
  const opened = performance.now();
  const calls = new Map<string, Call>();
  const ready = new Map<Language, Readiness>(LANGUAGES.map((language) => [language, readiness()]));
  let failedStarts = 0;
  let closed = false;
  let link = start();

  function start(): EngineLink {
    const connect = "Deno" in globalThis ? embedEngine : spawnEngine;
    const next = connect({ onMessage: receive, onGone: restart });
    next.send({ kind: "open", options });
    for (const [id, call] of calls) {
      next.send(runMessage(id, call));
      if (call.hooks.signal?.aborted === true) next.send({ kind: "stop", id });
    }
    return next;
  }

  function restart(): void {
    for (const [id, call] of calls) {
      if (call.started) finish(id, unstarted("crashed", "Crashed", sentences.crashed(sentences.engineGone())));
    }
    if (closed) return;
    failedStarts += 1;
    if (failedStarts < MOST_FAILED_STARTS) link = start();
    else for (const language of LANGUAGES) fail(language, sentences.engineGone());
  }

  function receive(message: FromEngine): void {
    switch (message.kind) {
      case "ready":
        failedStarts = 0;
        return ready.get(message.language)?.resolve(performance.now() - opened);
      case "failed":
        return fail(message.language, message.reason);
      case "started": {
        const call = calls.get(message.id);
        if (call === undefined) return;
        call.started = true;
        return call.hooks.onProgress?.({ executionId: message.id, elapsedMs: 0, fuel: 0, line: "" });
      }
      case "progress": {
        const { id, elapsedMs, fuel, line } = message;
        return calls.get(id)?.hooks.onProgress?.({ executionId: id, elapsedMs, fuel, line });
      }
      case "done":
        return finish(message.id, { outcome: message.outcome, pictures: message.pictures, files: message.files });
    }
  }

  /** A language that can't be started answers every call with the reason. */
  function fail(language: Language, reason: string): void {
    const sentence = sentences.notReady(language, reason);
    ready.get(language)?.reject(new BelljarError("ENGINE_GONE", sentence));
    for (const [id, call] of calls) {
      if (call.request.language === language) finish(id, unstarted("crashed", "Crashed", sentence));
    }
  }

  function finish(id: string, finished: Finished): void {
    const call = calls.get(id);
    calls.delete(id);
    call?.resolve(finished);
  }

  return {
    async run(request, hooks = {}) {
      const waiting = [...calls.values()].filter((call) => !call.started).length;
      if (waiting >= options.queue) throw new BelljarError("QUEUE_FULL", sentences.queueFull(waiting));
      const id = randomBytes(6).toString("hex");
      const { promise, resolve } = Promise.withResolvers<Finished>();
      const call: Call = { request, hooks, queuedAt: performance.now(), resolve, started: false };
      calls.set(id, call);
      const stop = (): void => link.send({ kind: "stop", id });
      hooks.signal?.addEventListener("abort", stop, { once: true });
      link.send(runMessage(id, call));
      if (hooks.signal?.aborted === true) stop();
      try {
        return await promise;
      } finally {
        hooks.signal?.removeEventListener("abort", stop);
      }
    },
    ready: (language) => ready.get(language)?.promise ?? Promise.reject(new BelljarError("BAD_ARGUMENT", language)),
    executions: () =>
      [...calls].map(([id, { request, started, queuedAt }]) => ({
        id,
        language: request.language,
        state: started ? "running" : "queued",
        elapsedMs: Math.round(performance.now() - queuedAt),
      })),
    kill(executionId) {
      if (!calls.has(executionId)) return false;
      link.send({ kind: "stop", id: executionId });
      return true;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await link[Symbol.asyncDispose]();
      for (const id of calls.keys()) finish(id, unstarted("killed", "Killed", sentences.killed()));
    },
  };
}

function runMessage(id: string, { request, hooks }: Call) {
  return { kind: "run", id, request, progress: hooks.onProgress !== undefined } as const;
}

function readiness(): Readiness {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  promise.catch(() => {});
  return { promise, resolve, reject };
}
