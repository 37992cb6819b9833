import { BelljarError, messageOf } from "../base/errors.ts";
import type { StoredFile } from "../host/state/state-folder.ts";
import type { Killer } from "../policy/killers.ts";
import type { Language } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import { type Pool, type PoolTurn, unstarted } from "./pool.ts";
import { createEntry, describe, type Entry, enqueue, evict, storedOf, type Ticket } from "./registry-entry.ts";
import type { SandboxInfo } from "../policy/sandbox-info.ts";
import type { Finished, ForkRequest } from "./sandboxes.ts";
import type { Store } from "./store.ts";
import type { Rest } from "./worker-messages.ts";

/** The named sandboxes of one owner: at rest between turns, each an image that no thread holds. */
export interface Registry {
  /**
   * Runs a turn in a named sandbox, made on first use; the turns of one name run in the order they came.
   * With a store the answer comes once what the turn left is stored.
   * @throws BelljarError REFUSED when the name is the other language's, or one more than may be.
   */
  run(name: string, language: Language, turn: PoolTurn): Promise<Finished>;
  /** @throws BelljarError REFUSED when there is no such sandbox, or the new name is taken or one too many. */
  fork(request: ForkRequest): Promise<SandboxInfo>;
  /** Ends one, stopping what runs in it; false when there is none. */
  close(name: string): Promise<boolean>;
  /** Stops a turn that waits for another of its sandbox; false when none of that id does. */
  kill(id: string, by: Killer): boolean;
  list(): SandboxInfo[];
  /** Drops from memory what is stored and has long not been used. */
  tidy(): void;
}

export interface RegistryOptions {
  readonly pools: ReadonlyMap<Language, Pool>;
  /** Sandboxes at most; in memory, when there is a store. */
  readonly most: number;
  readonly stored?: {
    readonly store: Store;
    /** What is there already. */
    readonly files: readonly StoredFile[];
    readonly most: number;
    readonly idleMs: number;
  };
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export function createRegistry({ pools, most, stored, now = () => performance.now() }: RegistryOptions): Registry {
  const entries = new Map<string, Entry>();
  for (const file of stored?.files ?? []) entries.set(file.name, createEntry({ parent: undefined, ...file, usedAt: now() }));

  const add = (name: string, language: Language, from?: Partial<Entry>): Entry => {
    if (stored !== undefined && entries.size >= stored.most) throw refused(sentences.tooManyStored(stored.most));
    if (stored === undefined && entries.size >= most) throw refused(sentences.tooManySandboxes(most, [...entries.keys()]));
    const entry = createEntry({ parent: undefined, ...from, name, language, usedAt: now() });
    entries.set(name, entry);
    return entry;
  };

  const find = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry === undefined) throw refused(sentences.noSandbox(name, [...entries.keys()]));
    return entry;
  };

  const tidy = (): void => {
    if (stored !== undefined) evict(entries.values(), { most, idleMs: stored.idleMs, now: now() });
  };

  /** Does a piece of work in its turn; what is then too much in memory goes. */
  const inTurn = (entry: Entry, work: () => Promise<void>): Promise<void> => enqueue(entry, work).finally(tidy);

  /** Brings back what is on disk alone. */
  const wake = async (entry: Entry): Promise<void> => {
    if (entry.saved === undefined && entry.diskBytes > 0) entry.saved = await stored?.store.load(entry.name);
  };

  /** Resolves with what went wrong, if it did. */
  const write = async (entry: Entry): Promise<string | undefined> => {
    const { saved } = entry;
    if (stored === undefined || saved === undefined || entry.closed) return undefined;
    entry.unwritten = true;
    try {
      entry.diskBytes = await stored.store.save(storedOf(entry), saved);
      if (entry.saved === saved) entry.unwritten = false;
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };

  const play = async (entry: Entry, turn: PoolTurn, ticket: Ticket, answer: (finished: Finished) => void): Promise<void> => {
    if (!ticket.killed) await wake(entry);
    if (ticket.killed) return;
    ticket.begun = true;
    const pool = pools.get(entry.language);
    if (pool === undefined || entry.closed) throw refused(sentences.closedMeanwhile(entry.name));
    const { promise: rested, resolve: onRest } = Promise.withResolvers<Rest | undefined>();
    const { name, saved, reseed, dropPending } = entry;
    const finished = await pool.run({ ...turn, kept: { name, saved, reseed, dropPending, onRest } });
    entry.turns += 1;
    entry.usedAt = now();
    if (stored === undefined) answer(finished);
    // The next turn stands on what this one left, which is told only after its answer.
    const rest = await rested;
    const left = rest?.saved;
    if (rest?.wasInPending === true) entry.dropPending = true;
    if (left !== undefined) {
      Object.assign(entry, { saved: left, memoryBytes: left.memoryBytes, reseed: false, dropPending: false });
      const reason = await write(entry);
      if (reason !== undefined) return answer(noted(finished, sentences.notStored(name, reason)));
    }
    answer(finished);
  };

  return {
    async run(name, language, turn) {
      const entry = entries.get(name) ?? add(name, language);
      if (entry.language !== language) throw refused(sentences.otherLanguage(name, entry.language));
      const { promise, resolve, reject } = Promise.withResolvers<Finished>();
      const ticket: Ticket = { begun: false, killed: false, abandon: (by) => resolve(unstarted("killed", "Killed", sentences.killed(by))) };
      entry.tickets.set(turn.id, ticket);
      inTurn(entry, () => play(entry, turn, ticket, resolve)).catch(reject);
      try {
        return await promise;
      } finally {
        entry.tickets.delete(turn.id);
      }
    },
    async fork({ from, to, reseed }) {
      const source = find(from);
      if (entries.has(to)) throw refused(sentences.nameTaken(to));
      const made = await whenAtRest(source, () => {
        if (source.closed) throw refused(sentences.noSandbox(from, [...entries.keys()]));
        if (entries.has(to)) throw refused(sentences.nameTaken(to));
        const { language, turns, saved, memoryBytes, dropPending } = source;
        return add(to, language, { parent: from, turns, saved, memoryBytes, reseed, dropPending });
      });
      await inTurn(made, async () => {
        const reason = await write(made);
        if (reason === undefined) return;
        made.closed = true;
        entries.delete(to);
        throw refused(reason);
      });
      return describe(made, entries.values(), now());
    },
    async close(name) {
      const entry = entries.get(name);
      if (entry === undefined) return false;
      entry.closed = true;
      entries.delete(name);
      for (const id of entry.tickets.keys()) pools.get(entry.language)?.kill(id, "close_sandbox");
      await stored?.store.remove(name);
      return true;
    },
    kill(id, by) {
      for (const { tickets } of entries.values()) {
        const ticket = tickets.get(id);
        if (ticket === undefined || ticket.begun) continue;
        ticket.killed = true;
        ticket.abandon(by);
        return true;
      }
      return false;
    },
    list: () => [...entries.values()].map((entry) => describe(entry, entries.values(), now())),
    tidy,
  };

  /** What `work` makes of a sandbox that no turn is changing, and that is in memory. */
  async function whenAtRest<T>(entry: Entry, work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    inTurn(entry, async () => {
      await wake(entry);
      resolve(work());
    }).catch(reject);
    return promise;
  }
}

function noted(finished: Finished, note: string): Finished {
  const { outcome } = finished;
  return { ...finished, outcome: { ...outcome, notes: [...(outcome.notes ?? []), note] } };
}

function refused(message: string): BelljarError {
  return new BelljarError("REFUSED", message);
}
