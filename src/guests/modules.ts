import { compileAsset } from "../engine/module.ts";
import type { Language } from "../policy/limits.ts";

/** Asset names of JavaScript's core modules: the engine, and what carries calls in and out. */
export const JAVASCRIPT_MODULES = ["javascript/runtime.wasm", "javascript/bindings.wasm"] as const;

/** A language's compiled core modules by asset name: compiled once, shared by all worker threads. */
export type GuestModules = Readonly<Record<string, WebAssembly.Module>>;

const MODULES = { python: ["python.wasm"], javascript: JAVASCRIPT_MODULES } as const satisfies Record<Language, readonly string[]>;

/** Compiles the core modules of a language, beside what else this thread does. */
export async function compileGuest(language: Language): Promise<GuestModules> {
  const compiled = await Promise.all(MODULES[language].map(async (name) => [name, await compileAsset(name)] as const));
  return Object.fromEntries(compiled);
}
