import { randomBytes } from "node:crypto";
import { BelljarError } from "../base/errors.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import { decodeSaved, encodeSaved } from "../guests/saved-file.ts";
import type { Stored } from "../host/state/state-file.ts";
import type { StateAnswer, StateRequest } from "./engine-messages.ts";

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

  const ask = (request: StateRequest): Promise<StateAnswer> => {
    const id = randomBytes(6).toString("hex");
    const { promise, resolve, reject } = Promise.withResolvers<StateAnswer>();
    waiting.set(id, { resolve, reject });
    send(id, request);
    return promise;
  };

  return {
    storeOf: (owner) => ({
      async save(stored, saved) {
        const answer = await ask({ act: "save", owner, stored, payload: encodeSaved(saved) });
        return answer.act === "saved" ? answer.diskBytes : 0;
      },
      async load(name) {
        const answer = await ask({ act: "load", owner, name });
        if (answer.act !== "loaded") throw new BelljarError("BAD_STATE", name);
        return decodeSaved(answer.payload);
      },
      async remove(name) {
        await ask({ act: "remove", owner, name });
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
