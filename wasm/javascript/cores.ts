import { BelljarError } from "../../src/base/errors.ts";
import { meter } from "../meter/meter.ts";

/** The core modules of the component that matter; the rest only ties them together, which the host does itself. */
export interface Cores {
  /** Memory, table and globals, with the state of the initialised engine as data. */
  readonly state: Uint8Array;
  readonly runtime: Uint8Array;
  readonly bindings: Uint8Array;
}

/**
 * Takes the core modules out of a component's transpiled files.
 * @throws BelljarError BAD_MODULE when the component is not built as expected.
 */
export function pickCores(files: Iterable<readonly [string, Uint8Array]>): Cores {
  let state: Uint8Array | undefined;
  let runtime: Uint8Array | undefined;
  let bindings: Uint8Array | undefined;
  for (const [name, bytes] of files) {
    if (!name.endsWith(".wasm")) continue;
    const exports = new Set(WebAssembly.Module.exports(new WebAssembly.Module(Uint8Array.from(bytes))).map((entry) => entry.name));
    if (exports.has("__stack_pointer") && exports.has("memory")) state = bytes;
    if (exports.has("wit_dylib_initialize")) runtime = bytes;
    if (exports.has("[async-lift]turn")) bindings = bytes;
  }
  if (!state || !runtime || !bindings) throw new BelljarError("BAD_MODULE", "the component lacks a core module that is needed");
  return { state, runtime, bindings };
}

/** The two modules with code, metered; their data lies in the image. */
export function meterCores({ runtime, bindings }: Cores, charged = true): { readonly runtime: Uint8Array; readonly bindings: Uint8Array } {
  const options = { stripCustom: true, record: true, charged };
  return { runtime: meter(runtime, { ...options, twins: true }).bytes, bindings: meter(bindings, { ...options, importRecord: true }).bytes };
}

