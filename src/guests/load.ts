import type { Grants } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { Guest } from "./guest.ts";
import { loadJavascript } from "./javascript.ts";
import type { GuestParts } from "./modules.ts";
import { loadPython } from "./python.ts";

/**
 * Makes a guest of what its threads share, in a worker thread; its sandboxes reach what `grants` names.
 * @param memoryBytes what the memory of the first sandbox may grow to: it is begun while the modules are still on their way
 */
export async function loadGuest(language: Language, { modules, rooms }: GuestParts, grants: Grants, memoryBytes?: number): Promise<Guest> {
  return language === "python" ? loadPython({ modules, rooms: await rooms, memoryBytes }, grants) : loadJavascript(await modules, grants);
}
