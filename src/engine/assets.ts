import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BelljarError } from "../base/errors.ts";

// Asked for by name, since Deno has no such module and refuses a program that imports it.
const sea = process.getBuiltinModule("node:sea");

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
    if (sea?.isSea() === true) return new Uint8Array(sea.getRawAsset(name));
    return readFileSync(join(assetFolder(), name));
  } catch (cause) {
    throw new BelljarError("ASSET_MISSING", `${name} is not in this build of Belljar; run the build again`, { cause });
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
