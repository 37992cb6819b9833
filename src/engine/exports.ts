import { BelljarError } from "../base/errors.ts";
import type { Meter } from "./fuel.ts";
import type { Globals } from "./image.ts";

/** Names that metering gives to what it exports (wasm/meter writes them, this room reads them). */
export const FUEL_EXPORT = "belljar:fuel";
export const YIELD_EXPORT = "belljar:yield";
export const GLOBAL_EXPORT = "belljar:global:";

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
