import type { Grants } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { Guest } from "./guest.ts";
import { loadJavascript } from "./javascript.ts";
import type { GuestParts } from "./modules.ts";
import { loadPython } from "./python.ts";

/** Makes a guest of what its threads share, in a worker thread; its sandboxes reach what `grants` names. */
export function loadGuest(language: Language, parts: GuestParts, grants: Grants): Promise<Guest> {
  return language === "python" ? loadPython(parts, grants) : loadJavascript(parts.modules, grants);
}
