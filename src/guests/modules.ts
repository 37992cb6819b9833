import { openAsset } from "../engine/assets.ts";
import { type Room, roomFor } from "../engine/blocks.ts";
import { compileAsset, packedModule } from "../engine/module.ts";
import type { Language } from "../policy/limits.ts";
import { PACKED_IMAGES } from "./python-images.ts";

/** Asset names of JavaScript's core modules: the engine, and what carries calls in and out. */
export const JAVASCRIPT_MODULES = ["javascript/runtime.wasm", "javascript/bindings.wasm"] as const;

/** Asset name of Python's only one. */
export const PYTHON_MODULE = packedModule("python.wasm");

/** A language's compiled core modules by asset name: compiled once, shared by all worker threads. */
export type GuestModules = Readonly<Record<string, WebAssembly.Module>>;

/** Where the compressed assets of a language are unpacked to when a thread first needs them, by asset name. */
export type Rooms = Readonly<Record<string, Room>>;

/** What the threads of a language share. */
export interface GuestParts {
  readonly modules: GuestModules;
  readonly rooms: Rooms;
}

const PACKED = { python: PACKED_IMAGES, javascript: [] } as const satisfies Record<Language, readonly string[]>;
const MODULES = { python: [PYTHON_MODULE], javascript: JAVASCRIPT_MODULES } as const satisfies Record<Language, readonly string[]>;

/** Compiles the core modules of a language, beside what else this thread does, and makes room for what is compressed. */
export async function compileGuest(language: Language): Promise<GuestParts> {
  const compiled = await Promise.all(MODULES[language].map(async (name) => [name, await compileAsset(name)] as const));
  const rooms = PACKED[language].map((name) => [name, roomFor(openAsset(name))] as const);
  return { modules: Object.fromEntries(compiled), rooms: Object.fromEntries(rooms) };
}
