import type { Grants } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { Guest } from "./guest.ts";
import { loadJavascript } from "./javascript.ts";
import type { GuestModules } from "./modules.ts";
import { loadPython } from "./python.ts";

/** Makes a guest of compiled modules, in a worker thread; its sandboxes reach what `grants` names. */
export function loadGuest(language: Language, modules: GuestModules, grants: Grants): Promise<Guest> {
  return language === "python" ? loadPython(modules, grants) : loadJavascript(modules, grants);
}
