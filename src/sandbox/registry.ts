import { BelljarError } from "../base/errors.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import type { Language } from "../policy/limits.ts";
import { sentences } from "../policy/sentences.ts";
import type { Pool, PoolTurn } from "./pool.ts";
import type { Finished, ForkRequest, SandboxInfo } from "./sandboxes.ts";

/** The named sandboxes of one owner: at rest between turns, each an image that no thread holds. */
export interface Registry {
  /**
   * Runs a turn in a named sandbox, made on first use; the turns of one name run in the order they came.
   * @throws BelljarError REFUSED when the name is the other language's, or one more than may be.
   */
  run(name: string, language: Language, turn: PoolTurn): Promise<Finished>;
  /** @throws BelljarError REFUSED when there is no such sandbox, or the new name is taken or one too many. */
  fork(request: ForkRequest): Promise<SandboxInfo>;
  /** Ends one, stopping what runs in it; false when there is none. */
  close(name: string): boolean;
  list(): SandboxInfo[];
}

interface Entry {
  readonly name: string;
  readonly language: Language;
  readonly parent: string | undefined;
  turns: number;
  usedAt: number;
  /** What the last turn that counts left; none before the first. */
  saved: SavedSandbox | undefined;
  reseed: boolean;
  closed: boolean;
  /** Turns that wait or run. */
  readonly waiting: Set<string>;
  last: Promise<unknown>;
}

export interface RegistryOptions {
  readonly pools: ReadonlyMap<Language, Pool>;
  /** Sandboxes at most. */
  readonly most: number;
}

export function createRegistry({ pools, most }: RegistryOptions): Registry {
  const entries = new Map<string, Entry>();

  const add = (name: string, language: Language, from?: Entry, reseed = true): Entry => {
    if (entries.size >= most) throw refused(sentences.tooManySandboxes(most, [...entries.keys()]));
    const entry: Entry = {
      name,
      language,
      parent: from?.name,
      turns: from?.turns ?? 0,
      usedAt: performance.now(),
      saved: from?.saved,
      reseed,
      closed: false,
      waiting: new Set(),
      last: Promise.resolve(),
    };
    entries.set(name, entry);
    return entry;
  };

  const find = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry === undefined) throw refused(sentences.noSandbox(name, [...entries.keys()]));
    return entry;
  };

  /** One after the other, whatever the one before ended in. */
  const inTurn = <T>(entry: Entry, work: () => Promise<T>): Promise<T> => {
    const result = entry.last.then(work, work);
    entry.last = result.catch(() => {});
    return result;
  };

  const play = async (entry: Entry, turn: PoolTurn): Promise<Finished> => {
    const pool = pools.get(entry.language);
    if (pool === undefined || entry.closed) throw refused(sentences.closedMeanwhile(entry.name));
    const { promise: rested, resolve: rest } = Promise.withResolvers<SavedSandbox | undefined>();
    const { name, saved, reseed } = entry;
    const finished = await pool.run({ ...turn, kept: { name, saved, reseed, onRest: rest } });
    // The next turn stands on what this one left, which is told only after its answer.
    entry.last = rested.then((left) => {
      if (left === undefined) return;
      entry.saved = left;
      entry.reseed = false;
    });
    entry.turns += 1;
    entry.usedAt = performance.now();
    return finished;
  };

  const describe = (entry: Entry): SandboxInfo => ({
    name: entry.name,
    language: entry.language,
    turns: entry.turns,
    busy: entry.waiting.size > 0,
    memoryBytes: entry.saved?.memoryBytes ?? 0,
    storedBytes: entry.saved?.memory.byteLength ?? 0,
    idleMs: Math.round(performance.now() - entry.usedAt),
    ...(entry.parent === undefined ? {} : { parent: entry.parent }),
    children: [...entries.values()].filter(({ parent }) => parent === entry.name).map(({ name }) => name),
  });

  return {
    async run(name, language, turn) {
      const entry = entries.get(name) ?? add(name, language);
      if (entry.language !== language) throw refused(sentences.otherLanguage(name, entry.language));
      entry.waiting.add(turn.id);
      try {
        return await inTurn(entry, () => play(entry, turn));
      } finally {
        entry.waiting.delete(turn.id);
      }
    },
    async fork({ from, to, reseed }) {
      const source = find(from);
      if (entries.has(to)) throw refused(sentences.nameTaken(to));
      await inTurn(source, async () => {});
      if (entries.has(to)) throw refused(sentences.nameTaken(to));
      return describe(add(to, source.language, source, reseed));
    },
    close(name) {
      const entry = entries.get(name);
      if (entry === undefined) return false;
      entry.closed = true;
      entries.delete(name);
      for (const id of entry.waiting) pools.get(entry.language)?.kill(id);
      return true;
    },
    list: () => [...entries.values()].map(describe),
  };
}

function refused(message: string): BelljarError {
  return new BelljarError("REFUSED", message);
}
