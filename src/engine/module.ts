import { setFlagsFromString } from "node:v8";
import { copyAsset, openAsset } from "./assets.ts";
import { unpackBlock } from "./blocks.ts";

let lazy = false;

/**
 * How much of a function V8 runs before it optimizes it, in bytes or so. At first little: a turn is short, and what one
 * runs most run. Once it is told, V8's own measure, since while a large function is being optimized each hint costs.
 */
const FIRST_BUDGET = 5_000;
const LATER_BUDGET = 13_000_000;

/** The asset of a module that is stored as a file of one block. */
export function packedModule(name: string): string {
  return `${name}.blocks`;
}

/**
 * Compiles a core module out of Belljar's own assets. The build has validated it, so V8 may leave
 * the validation of each function to its first call: a third of the time for 100 MB.
 * @throws BelljarError ASSET_MISSING when there is none of that name, or it can't be unpacked.
 */
export async function compileAsset(name: string): Promise<WebAssembly.Module> {
  if (!lazy) setFlagsFromString("--wasm-lazy-validation");
  lazy = true;
  const asset = openAsset(name);
  const isPacked = name.endsWith(packedModule(""));
  const bytes = isPacked ? await unpackModule(asset) : asset;
  setFlagsFromString(`--wasm-tiering-budget=${FIRST_BUDGET}`);
  const compiling = WebAssembly.compile(bytes);
  // V8 has a copy of its own by now: this one goes at once, and not when garbage is collected.
  if (isPacked) bytes.buffer.transfer(0);
  const module = await compiling;
  setFlagsFromString(`--wasm-tiering-budget=${LATER_BUDGET}`);
  return module;
}

/** The packed bytes are read into memory that is given back at once, since they are wanted only here. */
async function unpackModule(asset: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Uint8Array(asset.length);
  copyAsset(asset, packed);
  const bytes = await unpackBlock(packed);
  packed.buffer.transfer(0);
  return bytes;
}
