import { compileAsset } from "../engine/module.ts";
import type { Grants } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { Guest } from "./guest.ts";
import { JAVASCRIPT_MODULES, loadJavascript } from "./javascript.ts";
import { loadPython } from "./python.ts";

/** A language's compiled core modules by asset name: compiled once, shared by all worker threads. */
export type GuestModules = Readonly<Record<string, WebAssembly.Module>>;

const MODULES = { python: ["python.wasm"], javascript: JAVASCRIPT_MODULES } as const satisfies Record<
  Language,
  readonly string[]
>;

/** Compiles the core modules of a language: the work of the first thread that needs them. */
export async function compileGuest(language: Language): Promise<GuestModules> {
  const compiled = await Promise.all(MODULES[language].map(async (name) => [name, await compileAsset(name)] as const));
  return Object.fromEntries(compiled);
}

/** Makes a guest of compiled modules, in a worker thread; its sandboxes reach what `grants` names. */
export function loadGuest(language: Language, modules: GuestModules, grants: Grants): Promise<Guest> {
  return language === "python" ? loadPython(modules, grants) : loadJavascript(modules, grants);
}
