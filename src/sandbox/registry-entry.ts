import type { SavedSandbox } from "../guests/guest.ts";
import type { Stored } from "../host/state/state-file.ts";
import type { Killer } from "../policy/killers.ts";
import type { Language } from "../policy/limits.ts";
import type { SandboxInfo } from "../policy/sandbox-info.ts";

/** A turn that waits, or runs once it has begun. */
export interface Ticket {
  begun: boolean;
  killed: boolean;
  /** Answers a turn that hasn't begun. */
  readonly abandon: (by: Killer) => void;
}

/** A named sandbox between its turns. */
export interface Entry {
  readonly name: string;
  readonly language: Language;
  readonly parent: string | undefined;
  turns: number;
  usedAt: number;
  /** What the last turn that counts left; none before the first, and none while it is on disk alone. */
  saved: SavedSandbox | undefined;
  memoryBytes: number;
  /** What its file has, 0 when there is none. */
  diskBytes: number;
  /** True when the file is older than what is in memory. */
  unwritten: boolean;
  reseed: boolean;
  /** True when the next turn is to drop what earlier ones left pending. */
  dropPending: boolean;
  closed: boolean;
  /** Turns by id. */
  readonly tickets: Map<string, Ticket>;
  /** Pieces of work that wait or go on. */
  pending: number;
  last: Promise<void>;
}

export function createEntry(given: Pick<Entry, "name" | "language" | "parent" | "usedAt"> & Partial<Entry>): Entry {
  return {
    turns: 0,
    saved: undefined,
    memoryBytes: 0,
    diskBytes: 0,
    unwritten: false,
    reseed: true,
    dropPending: false,
    closed: false,
    ...given,
    tickets: new Map(),
    pending: 0,
    last: Promise.resolve(),
  };
}

/** Runs a piece of work once those before it are done, whatever they ended in. */
export function enqueue(entry: Entry, work: () => Promise<void>): Promise<void> {
  entry.pending += 1;
  const done = entry.last.then(work).finally(() => {
    entry.pending -= 1;
  });
  entry.last = done.catch(() => {});
  return done;
}

/** What its file is to tell of it. */
export function storedOf({ name, language, parent, turns, reseed, memoryBytes }: Entry): Stored {
  return { name, language, turns, reseed, memoryBytes, ...(parent === undefined ? {} : { parent }) };
}

export function describe(entry: Entry, all: Iterable<Entry>, now: number): SandboxInfo {
  const { name, language, turns, tickets, memoryBytes, saved, diskBytes, usedAt, parent } = entry;
  return {
    name,
    language,
    turns,
    busy: tickets.size > 0,
    memoryBytes,
    storedBytes: saved === undefined ? 0 : sizeOf(saved),
    diskBytes,
    idleMs: Math.round(now - usedAt),
    ...(parent === undefined ? {} : { parent }),
    children: [...all].filter((other) => other.parent === name).map((other) => other.name),
  };
}

function sizeOf({ memory, files }: SavedSandbox): number {
  return (files?.nodes ?? []).reduce((sum, node) => sum + (node.kind === "file" ? node.bytes.length : 0), memory.byteLength);
}

/** Drops from memory what is on disk too: the longest unused beyond `most`, and all unused for `idleMs`. */
export function evict(entries: Iterable<Entry>, { most, idleMs, now }: { most: number; idleMs: number; now: number }): void {
  const inMemory = [...entries].filter(({ saved }) => saved !== undefined).sort((one, other) => one.usedAt - other.usedAt);
  let excess = inMemory.length - most;
  for (const entry of inMemory) {
    if (entry.pending > 0 || entry.unwritten || entry.diskBytes === 0) continue;
    if (excess <= 0 && now - entry.usedAt < idleMs) continue;
    entry.saved = undefined;
    excess -= 1;
  }
}
