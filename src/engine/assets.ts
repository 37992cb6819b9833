import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BelljarError } from "../base/errors.ts";

// Asked for by name, since Deno has no such module and refuses a program that imports it.
const sea = process.getBuiltinModule("node:sea");

/** Asset that tells where in the executable the large ones are: offsets by name, and spaces. */
export const PLACES = "places.json";
/** The engine's descriptor of the executable: behind its standard streams and its channel. */
const PROGRAM = 4;
/** How much of an asset is compared with what is read of it before the descriptor is believed to be the executable's. */
const SAMPLE = 64;

/** Where in the executable the bytes of an asset begin, of those that have been opened. */
const placeOf = new WeakMap<ArrayBufferLike, number>();
let places: Readonly<Record<string, number>> | undefined;

/** True in the one-file binary, whose assets are part of the executable. */
export function isPacked(): boolean {
  return sea?.isSea() === true;
}

/** Where the assets are, unless they are packed: `guests` beside the bundle, or what the build made of this checkout. */
export function assetFolder(): string {
  return fileURLToPath(new URL(fromSource() ? "../../dist/guests/" : "./guests/", import.meta.url));
}

/**
 * One of Belljar's own assets. Packed, these bytes are the mapped executable itself, so opening costs
 * no copy and **writing to them ends the process**: hand out read-only, or copy.
 * @throws BelljarError ASSET_MISSING when there is none of that name.
 */
export function openAsset(name: string): Uint8Array<ArrayBuffer> {
  try {
    if (sea?.isSea() === true) {
      const bytes = new Uint8Array(sea.getRawAsset(name));
      places ??= placesOf(Buffer.from(sea.getRawAsset(PLACES)));
      const place = places[name];
      if (place !== undefined) placeOf.set(bytes.buffer, place);
      return bytes;
    }
    return readFileSync(join(assetFolder(), name));
  } catch (cause) {
    throw new BelljarError("ASSET_MISSING", `${name} is not in this build of Belljar; run the build again`, { cause });
  }
}

/**
 * Copies bytes of an opened asset, in the engine by reading them from the executable: what is copied from the mapping is in
 * this process's memory from then on, which it need not be for what is wanted once.
 */
export function copyAsset(from: Uint8Array, into: Uint8Array): void {
  if (!readProgram(from, into)) into.set(from);
}

function readProgram(from: Uint8Array, into: Uint8Array): boolean {
  const place = placeOf.get(from.buffer);
  if (place === undefined || from.length === 0) return false;
  try {
    for (let at = 0; at < from.length; ) {
      const read = readSync(PROGRAM, into, at, from.length - at, place + from.byteOffset + at);
      if (read === 0) return false;
      at += read;
    }
  } catch {
    // Any other process than the engine has something else by that number, or nothing.
    return false;
  }
  const sample = Math.min(SAMPLE, from.length);
  return Buffer.compare(from.subarray(0, sample), into.subarray(0, sample)) === 0;
}

function placesOf(json: Buffer): Readonly<Record<string, number>> {
  const parsed: Readonly<Record<string, number>> = JSON.parse(json.toString());
  return parsed;
}

/**
 * Starts what is handed a descriptor of this executable, to have it as `PROGRAM`, since the engine's rights don't let it open
 * one. It is undefined where the program is no executable of its own, and on Windows, where an open file can't be replaced.
 */
export function withProgram<Started>(start: (program: number | undefined) => Started): Started {
  if (!isPacked() || process.platform === "win32") return start(undefined);
  const program = openSync(process.execPath, "r");
  try {
    return start(program);
  } finally {
    closeSync(program);
  }
}

/** An asset as UTF-8 text. Same errors. */
export function assetText(name: string): string {
  return new TextDecoder().decode(openAsset(name));
}

/** What an unpacked program must be able to read of the disk: the bundle's folder, or this checkout. */
export function programFolder(): string {
  return fileURLToPath(new URL(fromSource() ? "../../" : "./", import.meta.url));
}

/** False when this program is a bundle. */
export function fromSource(): boolean {
  return import.meta.url.endsWith(".ts");
}
