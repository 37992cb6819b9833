import { setFlagsFromString } from "node:v8";
import { openAsset } from "./assets.ts";

let lazy = false;

/**
 * How much of a function V8 runs before it optimizes it, in bytes or so. At first little: a turn is short, and what one
 * runs most run. Once it is told, V8's own measure, since while a large function is being optimized each hint costs.
 */
const FIRST_BUDGET = 5_000;
const LATER_BUDGET = 13_000_000;

/**
 * Compiles a core module out of Belljar's own assets. The build has validated it, so V8 may leave
 * the validation of each function to its first call: a third of the time for 100 MB.
 */
export async function compileAsset(name: string): Promise<WebAssembly.Module> {
  if (!lazy) setFlagsFromString("--wasm-lazy-validation");
  lazy = true;
  setFlagsFromString(`--wasm-tiering-budget=${FIRST_BUDGET}`);
  const module = await WebAssembly.compile(openAsset(name));
  setFlagsFromString(`--wasm-tiering-budget=${LATER_BUDGET}`);
  return module;
}
