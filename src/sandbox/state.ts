import { isBelljarError } from "../base/errors.ts";
import type { StateFolder } from "../host/state/state-folder.ts";
import type { StateAnswer, StateRequest } from "./engine-messages.ts";

/** Answers one thing that the engine asks of the files, which are the server's. Never rejects. */
export async function answerState(folders: ReadonlyMap<string, StateFolder>, request: StateRequest): Promise<StateAnswer> {
  const folder = folders.get(request.owner);
  if (folder === undefined) return { act: "failed", reason: `no state is kept for ${request.owner}` };
  try {
    switch (request.act) {
      case "save":
        return { act: "saved", diskBytes: await folder.save(request.stored, request.payload) };
      case "load":
        return { act: "loaded", payload: await folder.load(request.name) };
      case "remove":
        await folder.remove(request.name);
        return { act: "removed" };
    }
  } catch (error) {
    const isOurs = isBelljarError(error);
    return { act: "failed", reason: isOurs || error instanceof Error ? error.message : String(error) };
  }
}
