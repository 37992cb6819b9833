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

/** What the threads of a language share. A thread has much to do with the rooms before it needs the modules, which take longer. */
export interface GuestParts {
  readonly modules: Promise<GuestModules>;
  readonly rooms: Promise<Rooms>;
}

const PACKED = { python: PACKED_IMAGES, javascript: [] } as const satisfies Record<Language, readonly string[]>;
const MODULES = { python: [PYTHON_MODULE], javascript: JAVASCRIPT_MODULES } as const satisfies Record<Language, readonly string[]>;

/** Compiles the core modules of a language, beside what else this thread does, and makes room for what is compressed. */
export function compileGuest(language: Language): GuestParts {
  const parts = { modules: compileModules(language), rooms: makeRooms(language) };
  // Who waits for them hears why they failed.
  for (const part of Object.values(parts)) part.catch(() => {});
  return parts;
}

async function compileModules(language: Language): Promise<GuestModules> {
  return Object.fromEntries(await Promise.all(MODULES[language].map(async (name) => [name, await compileAsset(name)] as const)));
}

async function makeRooms(language: Language): Promise<Rooms> {
  return Object.fromEntries(PACKED[language].map((name) => [name, roomFor(openAsset(name))] as const));
}
