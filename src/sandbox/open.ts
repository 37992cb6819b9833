import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { BelljarError } from "../base/errors.ts";
import { moment } from "../base/moments.ts";
import { assetText } from "../engine/assets.ts";
import { openAudit } from "../host/audit.ts";
import { folderRights, resolveFolders } from "../host/mounts/roots.ts";
import { type StateFolder, openStateFolder } from "../host/state/state-folder.ts";
import { killerOf } from "../policy/killers.ts";
import { mountedFolders } from "../policy/grants.ts";
import { LANGUAGES, type Language } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import { embedEngine, type EngineEvents, type EngineLink, linkEngine } from "./engine-link.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { startEngineProcess } from "./engine-process.ts";
import { unstarted } from "./pool.ts";
import type { Finished, RunHooks, RunRequest, Sandboxes, SandboxOptions, ServerFiles, StateOptions } from "./sandboxes.ts";
import { createStateAnswers } from "./state.ts";

/** Who is at the other end of standard input and output; a transport with several clients names each. */
const OWNER = "local";
const identitySchema = z.record(z.enum(LANGUAGES), z.string());

/** An engine that dies this often in a row, before any language was ready, is not started again. */
const MOST_FAILED_STARTS = 3;

interface Call {
  readonly request: RunRequest;
  readonly hooks: RunHooks;
  readonly queuedAt: number;
  readonly resolve: (finished: Finished) => void;
  readonly reject: (reason: Error) => void;
  started: boolean;
}

type Reply = Extract<FromEngine, { kind: "listed" | "closed" }>;

/** Something asked of the engine beside turns. */
interface Question {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: Error) => void;
}

interface Readiness {
  readonly promise: Promise<number>;
  readonly resolve: (ms: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts an engine and keeps one running: when it dies, its running turns are answered and the queue moves on.
 * @throws BelljarError REFUSED when the state folder, a granted folder or the audit's file can't be used.
 */
export function openSandboxes(given: SandboxOptions, { state, auditFile, openNetwork, engine }: ServerFiles = {}): Sandboxes {
  const options = { ...given, grants: { ...given.grants, folders: resolveFolders(given.grants.folders) } };
  const audit = openAudit(auditFile);
  const opened = performance.now();
  const calls = new Map<string, Call>();
  /** Names of sandboxes that the engine holds, and of those that went with an engine before it. */
  const kept = new Set<string>();
  const lost = new Set<string>();
  const questions = new Map<string, Question>();
  /** Languages that can't be started, and why. */
  const failures = new Map<Language, string>();
  const ready = new Map<Language, Readiness>(LANGUAGES.map((language) => [language, readiness()]));
  const folders = openFolders(state, options.stored);
  const files = createStateAnswers(folders);
  const network = openNetwork?.({
    tell: (id, message) => link.send({ kind: "net", id, message }),
    used: (id, use) => audit.tell(sandboxOf(id), [use]),
  });
  let failedStarts = 0;
  let closed = false;
  let early = engine;
  let link = start();

  function connect(events: EngineEvents): EngineLink {
    if ("Deno" in globalThis) return embedEngine(events);
    const child = early ?? startEngineProcess(folderRights(mountedFolders(options.grants)));
    early = undefined;
    return linkEngine(child, events);
  }

  function start(): EngineLink {
    const next = connect({ onMessage: receive, onGone: restart });
    const stored = new Map([...folders].map(([owner, folder]) => [owner, folder.list()]));
    next.send({ kind: "open", options, stored });
    for (const [id, call] of calls) {
      next.send(runMessage(id, call));
      if (call.hooks.signal?.aborted === true) next.send({ kind: "stop", id, by: killerOf(call.hooks.signal.reason) });
    }
    return next;
  }

  function restart(): void {
    files.forget();
    if (folders.size === 0) for (const name of kept) lost.add(name);
    kept.clear();
    for (const [id, call] of calls) {
      if (call.started) finish(id, unstarted("crashed", "Crashed", sentences.crashed(sentences.engineGone())));
    }
    for (const { reject } of questions.values()) reject(new BelljarError("ENGINE_GONE", folders.size > 0 ? sentences.engineRestarted() : sentences.lostSandboxes()));
    if (closed) return;
    failedStarts += 1;
    if (failedStarts < MOST_FAILED_STARTS) link = start();
    else for (const language of LANGUAGES) fail(language, sentences.engineGone());
  }

  function receive(message: FromEngine): void {
    switch (message.kind) {
      case "ready":
        failedStarts = 0;
        failures.delete(message.language);
        return ready.get(message.language)?.resolve(performance.now() - opened);
      case "failed":
        return fail(message.language, message.reason);
      case "started": {
        const call = calls.get(message.id);
        if (call === undefined) return;
        call.started = true;
        return call.hooks.onProgress?.({ executionId: message.id, elapsedMs: 0, fuel: 0, line: "" });
      }
      case "used":
        return audit.tell(sandboxOf(message.id), message.uses);
      case "progress": {
        const { id, elapsedMs, fuel, line } = message;
        return calls.get(id)?.hooks.onProgress?.({ executionId: id, elapsedMs, fuel, line });
      }
      case "refused": {
        const refusal = new BelljarError("REFUSED", message.reason);
        questions.get(message.id)?.reject(refusal);
        calls.get(message.id)?.reject(refusal);
        network?.end(message.id);
        return void calls.delete(message.id);
      }
      case "state":
        return void files.answer(message.id, message.request).then((answer) => link.send({ kind: "state", id: message.id, answer }));
      case "net":
        // Of a run that is over there is nothing left to ask.
        return calls.get(message.id)?.started === true ? network?.receive(message.id, message.message) : undefined;
      case "listed":
      case "closed":
        return questions.get(message.id)?.resolve(message);
      case "done":
        return finish(message.id, remembered({ outcome: message.outcome, pictures: message.pictures, files: message.files, ...(message.moments && { moments: [...message.moments, moment("back to the server")] }) }));
    }
  }

  /** Says so, once, when a sandbox is new though its name was used before. */
  function remembered(finished: Finished): Finished {
    const { outcome } = finished;
    const name = outcome.sandbox;
    if (name === undefined) return finished;
    kept.add(name);
    if (!lost.delete(name)) return finished;
    return { ...finished, outcome: { ...outcome, notes: [...(outcome.notes ?? []), sentences.lostBefore(name)] } };
  }

  /** A language that can't be started answers every call with the reason. */
  function fail(language: Language, reason: string): void {
    const sentence = sentences.notReady(language, reason);
    ready.get(language)?.reject(new BelljarError("ENGINE_GONE", sentence));
    failures.set(language, sentence);
    for (const [id, call] of calls) {
      if (call.request.language === language) finish(id, unstarted("crashed", "Crashed", sentence));
    }
  }

  function finish(id: string, finished: Finished): void {
    network?.end(id);
    const call = calls.get(id);
    calls.delete(id);
    call?.resolve(finished);
  }

  /** What the audit calls a run's sandbox: its name, or the run's id when it has none. */
  function sandboxOf(id: string): string {
    return calls.get(id)?.request.sandbox ?? id;
  }

  /** A stored sandbox that can't be used is not covered by a new one of its name. */
  function checkStored(name: string): void {
    const refusal = folders.get(OWNER)?.refusal(name);
    if (refusal !== undefined) throw new BelljarError("REFUSED", refusal);
  }

  /** Asks the engine, and waits for what it says. */
  async function ask(message: (id: string) => ToEngine): Promise<Reply> {
    const id = newId();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    questions.set(id, { resolve, reject });
    link.send(message(id));
    try {
      return await promise;
    } finally {
      questions.delete(id);
    }
  }

  return {
    async list() {
      const reply = await ask((id) => ({ kind: "list", id, owner: OWNER }));
      return reply.kind === "listed" ? reply.sandboxes : [];
    },
    async fork(request) {
      checkStored(request.from);
      checkStored(request.to);
      const reply = await ask((id) => ({ kind: "fork", id, owner: OWNER, request }));
      const [made] = reply.kind === "listed" ? reply.sandboxes : [];
      if (made === undefined) throw new BelljarError("ENGINE_GONE", sentences.engineGone());
      kept.add(request.to);
      return made;
    },
    async close(name) {
      checkStored(name);
      const reply = await ask((id) => ({ kind: "close", id, owner: OWNER, name }));
      // What was closed is not lost, whatever becomes of the engine.
      kept.delete(name);
      lost.delete(name);
      return reply.kind === "closed" && reply.found;
    },
    async run(request, hooks = {}) {
      if (request.sandbox !== undefined) checkStored(request.sandbox);
      const failure = failures.get(request.language);
      if (failure !== undefined) return unstarted("crashed", "Crashed", failure);
      const waiting = [...calls.values()].filter((call) => !call.started).length;
      if (waiting >= options.queue) throw new BelljarError("QUEUE_FULL", sentences.queueFull(waiting));
      const id = newId();
      const { promise, resolve, reject } = Promise.withResolvers<Finished>();
      const call: Call = { request, hooks, queuedAt: performance.now(), resolve, reject, started: false };
      calls.set(id, call);
      const stop = (): void => link.send({ kind: "stop", id, by: killerOf(hooks.signal?.reason) });
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
        sandbox: request.sandbox,
        state: started ? "running" : "queued",
        elapsedMs: Math.round(performance.now() - queuedAt),
      })),
    kill(executionId) {
      if (!calls.has(executionId)) return false;
      link.send({ kind: "stop", id: executionId, by: "kill_execution" });
      return true;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      network?.[Symbol.dispose]();
      await link[Symbol.asyncDispose]();
      for (const folder of folders.values()) folder[Symbol.dispose]();
      audit[Symbol.dispose]();
      for (const id of calls.keys()) finish(id, unstarted("killed", "Killed", sentences.killed("shutdown")));
    },
  };
}

/** The state folder of each owner; none without a place for them. */
function openFolders(state: StateOptions | undefined, most: number): ReadonlyMap<string, StateFolder> {
  if (state === undefined) return new Map();
  const guests = identitySchema.parse(JSON.parse(assetText("identity.json")));
  return new Map([[OWNER, openStateFolder(join(state.folder, OWNER), { belljar: state.version, guests }, most)]]);
}

function runMessage(id: string, { request, hooks }: Call) {
  return { kind: "run", id, owner: OWNER, request, progress: hooks.onProgress !== undefined, profile: hooks.profile === true } as const;
}

function readiness(): Readiness {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** 48 random bits in hex. Of a UUID, whose random bytes Node draws for many at once, where asking for six takes a system call. */
function newId(): string {
  return randomUUID().replace("-", "").slice(0, 12);
}
