import assert from "node:assert/strict";
import { FUEL_EXPORT, meter, type MeterOptions, YIELD_EXPORT } from "../../../wasm/meter/meter.ts";

type Compiled = WebAssembly.Module;

/** `(import "" "f") (export "f")`: makes of a host function one that a table accepts. */
const FUNCTION_OF_HOST = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 2, 6, 1, 0, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0,
]);

export interface Guest {
  /** Calls an export. */
  call(name: string, ...args: (number | bigint)[]): unknown;
  /** Calls an export with fuel to spare. @returns the fuel it used */
  fuelOf(name: string, ...args: (number | bigint)[]): number;
  setFuel(fuel: number): void;
  fuel(): number;
  readonly instance: WebAssembly.Instance;
}

const PLENTY = 1_000_000_000;

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === "function";
}

export function compile(bytes: Uint8Array): Compiled {
  return new WebAssembly.Module(Uint8Array.from(bytes));
}

/** Meters a module, checks that it is valid, and instantiates it. */
export function start(
  bytes: Uint8Array,
  given: { imports?: WebAssembly.Imports; onYield?: () => void; options?: MeterOptions } = {},
): Guest {
  assert.ok(WebAssembly.validate(Uint8Array.from(bytes)), "the module is valid to begin with");
  const metered = meter(bytes, given.options);
  const instance = new WebAssembly.Instance(compile(metered.bytes), given.imports ?? {});
  const counter = instance.exports[FUEL_EXPORT];
  const table = instance.exports[YIELD_EXPORT];
  assert.ok(counter instanceof WebAssembly.Global && table instanceof WebAssembly.Table);
  counter.value = BigInt(PLENTY);
  const host = given.onYield ?? ((): never => assert.fail("yielded"));
  table.set(0, new WebAssembly.Instance(compile(FUNCTION_OF_HOST), { "": { f: host } }).exports.f);
  const call = (name: string, ...args: (number | bigint)[]): unknown => {
    const target = instance.exports[name];
    assert.ok(isFunction(target), `${name} is exported`);
    return target(...args);
  };
  return {
    instance,
    call,
    fuelOf(name, ...args) {
      counter.value = BigInt(PLENTY);
      call(name, ...args);
      return PLENTY - Number(counter.value);
    },
    setFuel(fuel) {
      counter.value = BigInt(fuel);
    },
    fuel: () => Number(counter.value),
  };
}
