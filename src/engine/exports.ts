import { BelljarError } from "../base/errors.ts";
import type { Meter } from "./fuel.ts";
import type { Globals } from "./image.ts";

// The names below are written by wasm/meter and read here.

/** Exported mutable i64 global: the instructions left. Tested for being below zero at entries and loop heads. */
export const FUEL_EXPORT = "belljar:fuel";
/**
 * Exported funcref table of one slot, for the `() → ()` that the guest calls when its counter is below zero. To stop
 * the guest for good it has to trap: what JavaScript throws is caught by a `catch_all`, a trap is not.
 */
export const YIELD_EXPORT = "belljar:yield";
/** With an index after it: every other mutable global defined in the module, for an image to hold. */
export const GLOBAL_EXPORT = "belljar:global:";
/**
 * Exported memory of one byte for each 4 KiB of the module's own memory: not zero when the guest may have written to that
 * page or the next one. The guest's code names the memory nowhere but in these marks.
 */
export const RECORD_EXPORT = "belljar:record";
/**
 * Exported mutable i32 global of a module that has each function twice, with marks and without: not zero when code is to
 * run without, after which the record tells nothing.
 */
export const PLAIN_EXPORT = "belljar:plain";
/** Where the record of a module comes from that works on another's memory. */
export const RECORD_IMPORT = { module: "belljar", name: "record" } as const;
/** Where a memory that became an import comes from. */
export const MEMORY_IMPORT = { module: "belljar", name: "memory" } as const;

/** @throws BelljarError BAD_MODULE when the module keeps no record of its pages. */
export function exportedRecord(instance: WebAssembly.Instance): WebAssembly.Memory {
  const kept = instance.exports[RECORD_EXPORT];
  if (!(kept instanceof WebAssembly.Memory)) throw new BelljarError("BAD_MODULE", "the module keeps no record of its pages");
  return kept;
}

/** @throws BelljarError BAD_MODULE when the module has no such function. */
export function exportedFunction(instance: WebAssembly.Instance, name: string): (...args: number[]) => unknown {
  const value = instance.exports[name];
  if (typeof value !== "function") throw new BelljarError("BAD_MODULE", `the module exports no function ${name}`);
  return (...args) => value(...args);
}

/** @throws BelljarError BAD_MODULE when the module was not metered. */
export function exportedMeter(instance: WebAssembly.Instance): Meter {
  const counter = instance.exports[FUEL_EXPORT];
  const slot = instance.exports[YIELD_EXPORT];
  if (!(counter instanceof WebAssembly.Global) || !(slot instanceof WebAssembly.Table)) {
    throw new BelljarError("BAD_MODULE", "the module is not metered");
  }
  return { counter, slot };
}

/** The mutable globals that an image holds. */
export function exportedGlobals(instance: WebAssembly.Instance): Globals {
  const globals = new Map<string, WebAssembly.Global>();
  for (const [name, value] of Object.entries(instance.exports)) {
    if (name.startsWith(GLOBAL_EXPORT) && value instanceof WebAssembly.Global) globals.set(name, value);
  }
  return globals;
}
