import { setFlagsFromString } from "node:v8";
import { openAsset } from "./assets.ts";

let lazy = false;

/**
 * Compiles a core module out of Belljar's own assets. The build has validated it, so V8 may leave
 * the validation of each function to its first call: a third of the time for 100 MB.
 */
export async function compileAsset(name: string): Promise<WebAssembly.Module> {
  if (!lazy) setFlagsFromString("--wasm-lazy-validation");
  lazy = true;
  return WebAssembly.compile(openAsset(name));
}
