import type { SavedSandbox } from "../../src/guests/guest.ts";
import type { Stored } from "../../src/host/state/state-file.ts";
import type { StoredFile } from "../../src/host/state/state-folder.ts";
import type { Status } from "../../src/policy/outcome.ts";
import { type Pool, type PoolTurn, unstarted } from "../../src/sandbox/pool.ts";
import type { Finished } from "../../src/sandbox/sandboxes.ts";
import type { Store } from "../../src/sandbox/store.ts";

/** A turn that adds its code to the sandbox's text; what follows a "!" is the status that it ends in. */
export function turnOf(id: string, code: string): PoolTurn {
  const limits = { wallTimeMs: 1_000, fuel: 1, memoryBytes: 1, outputBytes: 1, fileBytes: 1 };
  return { id, code, files: [], limits, profile: false, onStart: () => {} };
}

const LASTING: readonly Status[] = ["ok", "error", "timeout"];
const ALL: readonly Status[] = [...LASTING, "killed", "out_of_fuel", "out_of_memory", "crashed"];

export interface FakePool extends Pool {
  /** Ends the turn that waits at a gate: one whose code begins with "?". */
  open(id: string): void;
  readonly running: ReadonlySet<string>;
}

/** Sandboxes of text: each turn answers with all the text so far, and leaves it, after its answer, when it counts. */
export function fakePool(): FakePool {
  const gates = new Map<string, (killed: boolean) => void>();
  const running = new Set<string>();
  return {
    ready: Promise.resolve(),
    tidy: () => {},
    running,
    open: (id) => gates.get(id)?.(false),
    async run({ id, code, kept }) {
      running.add(id);
      const killed = code.startsWith("?") && (await new Promise<boolean>((resolve) => gates.set(id, resolve)));
      running.delete(id);
      const [text = "", ending = "ok"] = code.split("!");
      const status = killed ? "killed" : (ALL.find((one) => one === ending) ?? "ok");
      const before = kept?.saved === undefined ? "" : textOf(kept.saved);
      const after = before + (kept?.reseed === true ? "~" : "") + text;
      setTimeout(() => kept?.onRest({ saved: LASTING.includes(status) ? savedOf(after) : undefined, wasInPending: false }), 1);
      return finished(status, after);
    },
    kill(id) {
      gates.get(id)?.(true);
      return running.has(id);
    },
    deliver: () => false,
    async [Symbol.asyncDispose]() {},
  };
}

function finished(status: Status, repr: string): Finished {
  const { outcome, ...rest } = unstarted("killed", "Fake", "");
  return { ...rest, outcome: { ...outcome, status, repr } };
}

export function savedOf(text: string): SavedSandbox {
  return { image: "fake", memory: Buffer.from(text), memoryBytes: 65_536, files: undefined, clockMs: 0, savedAt: 0 };
}

export function textOf({ memory }: SavedSandbox): string {
  return Buffer.from(memory).toString();
}

export interface FakeStore extends Store {
  readonly files: Map<string, { readonly stored: Stored; readonly text: string }>;
  readonly loads: string[];
  /** What the next registry finds. */
  list(): StoredFile[];
  /** Set to make every save fail with it. */
  broken: string | undefined;
}

export function fakeStore(): FakeStore {
  const files: FakeStore["files"] = new Map();
  const loads: string[] = [];
  const store: FakeStore = {
    files,
    loads,
    broken: undefined,
    list: () => [...files.values()].map(({ stored, text }) => Object.assign({ diskBytes: text.length + 100 }, stored)),
    async save(stored, saved) {
      if (store.broken !== undefined) throw new Error(store.broken);
      files.set(stored.name, { stored, text: textOf(saved) });
      return textOf(saved).length + 100;
    },
    async load(name) {
      loads.push(name);
      const file = files.get(name);
      if (file === undefined) throw new Error(`no file of ${name}`);
      return savedOf(file.text);
    },
    async remove(name) {
      files.delete(name);
    },
  };
  return store;
}
