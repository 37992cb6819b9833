import { copyAsset, openAsset } from "./assets.ts";
import { unpackBlock } from "./blocks.ts";
import { setBudget } from "./v8-flags.ts";

/** The asset of a module that is stored as a file of one block. */
export function packedModule(name: string): string {
  return `${name}.blocks`;
}

/**
 * Compiles a core module out of Belljar's own assets.
 * @throws BelljarError ASSET_MISSING when there is none of that name, or it can't be unpacked.
 */
export async function compileAsset(name: string): Promise<WebAssembly.Module> {
  const asset = openAsset(name);
  const isPacked = name.endsWith(packedModule(""));
  const bytes = isPacked ? await unpackModule(asset) : asset;
  setBudget("first");
  const compiling = WebAssembly.compile(bytes);
  // V8 has a copy of its own by now: this one goes at once, and not when garbage is collected.
  if (isPacked) bytes.buffer.transfer(0);
  const module = await compiling;
  setBudget("later");
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
