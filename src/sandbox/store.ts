import { randomBytes } from "node:crypto";
import { BelljarError } from "../base/errors.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import type { Stored } from "../host/state/state-file.ts";
import type { StateAnswer, StateRequest } from "./engine-messages.ts";
import { PART_BYTES } from "./part.ts";

/** Where one owner's sandboxes rest outside of memory. Every failure is a BelljarError with its reason. */
export interface Store {
  /** Resolves with the bytes on the disk, once they are there. */
  save(stored: Stored, saved: SavedSandbox): Promise<number>;
  load(name: string): Promise<SavedSandbox>;
  remove(name: string): Promise<void>;
}

/** The engine's way to the server's files, for it has none itself. */
export interface StateLink {
  storeOf(owner: string): Store;
  /** Takes what the server says. */
  receive(id: string, answer: StateAnswer): void;
}

export function createStateLink(send: (id: string, request: StateRequest) => void): StateLink {
  const waiting = new Map<string, { resolve(answer: StateAnswer): void; reject(error: Error): void }>();

  const ask = (id: string, request: StateRequest): Promise<StateAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<StateAnswer>();
    waiting.set(id, { resolve, reject });
    send(id, request);
    return promise;
  };

  const save = async (owner: string, stored: Stored, saved: SavedSandbox): Promise<number> => {
    const { encodeSaved } = await savedFiles();
    const id = newId();
    const pieces = encodeSaved(saved);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    let begun = false;
    for (const part of partsOf(pieces, bytes)) {
      const answer = await ask(id, begun ? { act: "part", part } : { act: "save", owner, stored, bytes, part });
      begun = true;
      if (answer.act === "saved") return answer.diskBytes;
    }
    throw new BelljarError("BAD_STATE", stored.name);
  };

  const load = async (owner: string, name: string): Promise<SavedSandbox> => {
    const { decodeSaved } = await savedFiles();
    const id = newId();
    let whole: Uint8Array | undefined;
    for (let at = 0; ; ) {
      const answer = await ask(id, whole === undefined ? { act: "load", owner, name } : { act: "next" });
      if (answer.act !== "part") throw new BelljarError("BAD_STATE", name);
      whole ??= new Uint8Array(new SharedArrayBuffer(answer.bytes));
      whole.set(answer.part, at);
      at += answer.part.length;
      if (at === answer.bytes) return decodeSaved(whole);
    }
  };

  return {
    storeOf: (owner) => ({
      save: (stored, saved) => save(owner, stored, saved),
      load: (name) => load(owner, name),
      async remove(name) {
        await ask(newId(), { act: "remove", owner, name });
      },
    }),
    receive(id, answer) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (answer.act === "failed") asked?.reject(new BelljarError("REFUSED", answer.reason));
      else asked?.resolve(answer);
    },
  };
}

/** What reads and writes states checks them by schemas, which are slow to load, and most engines have no use for. */
function savedFiles() {
  return import("../guests/saved-file.ts");
}

function newId(): string {
  return randomBytes(6).toString("hex");
}

/** Copies of pieces in parts of one size, the last one smaller; each is made when it is asked for. */
function* partsOf(pieces: readonly Uint8Array[], bytes: number): Generator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(Math.min(PART_BYTES, bytes));
  let filled = 0;
  let left = bytes;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const next = piece.subarray(at, at + part.length - filled);
      part.set(next, filled);
      at += next.length;
      filled += next.length;
      if (filled < part.length) continue;
      yield part;
      left -= filled;
      filled = 0;
      part = new Uint8Array(Math.min(PART_BYTES, left));
    }
  }
}
