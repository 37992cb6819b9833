import { BelljarError, messageOf } from "../base/errors.ts";
import type { StateFolder } from "../host/state/state-folder.ts";
import type { StateAnswer, StateRequest } from "./engine-messages.ts";

/** Answers what the engine asks of the files, which are the server's. */
export interface StateAnswers {
  /** Never rejects. */
  answer(id: string, request: StateRequest): Promise<StateAnswer>;
  /** Drops what is half read or half written: the engine that asked for it is gone. */
  forget(): void;
}

/** A state on its way from the engine. */
interface Incoming {
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly saved: Promise<number>;
  left: number;
}

/** A state on its way to the engine. */
interface Outgoing {
  readonly bytes: number;
  readonly parts: AsyncIterator<Uint8Array>;
  left: number;
}

export function createStateAnswers(folders: ReadonlyMap<string, StateFolder>): StateAnswers {
  const incoming = new Map<string, Incoming>();
  const outgoing = new Map<string, Outgoing>();

  /** The first part of a state begins its file. */
  const begin = (id: string, { owner, stored, bytes }: Extract<StateRequest, { act: "save" }>): void => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const saved = folderOf(owner).save(stored, { bytes, parts: readable });
    // Told to whom hands over the next part.
    saved.catch(() => {});
    incoming.set(id, { writer: writable.getWriter(), saved, left: bytes });
  };

  /** Resolves once there is room for the next part: while one is written, another comes. */
  const take = async (id: string, part: Uint8Array): Promise<StateAnswer> => {
    const state = incoming.get(id);
    if (state === undefined) throw new BelljarError("BAD_STATE", "a part came without its state");
    const { writer, saved } = state;
    state.left -= part.length;
    writer.write(part).catch(() => {});
    if (state.left > 0) {
      await Promise.race([writer.ready, saved]);
      return { act: "next" };
    }
    incoming.delete(id);
    writer.close().catch(() => {});
    return { act: "saved", diskBytes: await saved };
  };

  const give = async (id: string): Promise<StateAnswer> => {
    const state = outgoing.get(id);
    if (state === undefined) throw new BelljarError("BAD_STATE", "no state is being read");
    const { done, value: part } = await state.parts.next();
    if (done === true) throw new BelljarError("BAD_STATE", "the state has been read");
    state.left -= part.length;
    if (state.left === 0) {
      outgoing.delete(id);
      await state.parts.return?.();
    }
    return { act: "part", bytes: state.bytes, part };
  };

  const folderOf = (owner: string): StateFolder => {
    const folder = folders.get(owner);
    if (folder === undefined) throw new BelljarError("BAD_STATE", `no state is kept for ${owner}`);
    return folder;
  };

  const perform = async (id: string, request: StateRequest): Promise<StateAnswer> => {
    switch (request.act) {
      case "save":
        begin(id, request);
        return take(id, request.part);
      case "part":
        return take(id, request.part);
      case "load": {
        const { bytes, parts } = await folderOf(request.owner).load(request.name);
        outgoing.set(id, { bytes, parts: parts[Symbol.asyncIterator](), left: bytes });
        return give(id);
      }
      case "next":
        return give(id);
      case "remove":
        await folderOf(request.owner).remove(request.name);
        return { act: "removed" };
    }
  };

  return {
    async answer(id, request) {
      try {
        return await perform(id, request);
      } catch (error) {
        incoming.delete(id);
        outgoing.delete(id);
        return { act: "failed", reason: messageOf(error) };
      }
    },
    forget() {
      for (const { writer } of incoming.values()) writer.abort(new BelljarError("ENGINE_GONE", "the engine is gone")).catch(() => {});
      for (const { parts } of outgoing.values()) parts.return?.().catch(() => {});
      incoming.clear();
      outgoing.clear();
    },
  };
}
