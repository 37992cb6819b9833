import { BelljarError } from "../base/errors.ts";
import { exportedFunction, exportedMeter, exportedRecord, RECORD_IMPORT } from "../engine/exports.ts";
import type { Meter } from "../engine/fuel.ts";
import type { Globals } from "../engine/image.ts";
import { type PageRecord, pageRecord } from "../engine/page-record.ts";
import type { CanonicalMemory, lowerBytes } from "../host/component.ts";
import { type Preview2Host, preview2Imports } from "../host/preview2.ts";
import { type JavascriptDoor, doorImports } from "./javascript-door.ts";

/** The two core modules: the engine, and what carries the functions of wasm/guest.wit in and out. */
export interface JavascriptModules {
  readonly runtime: WebAssembly.Module;
  readonly bindings: WebAssembly.Module;
}

/** Where the linker put things; constants of a build, kept among the image's addresses. */
export interface Layout {
  readonly tableSize: number;
  readonly runtimeTable: number;
  readonly runtimeMemory: number;
  readonly bindingsTable: number;
  readonly bindingsMemory: number;
  /** Slot of the table in which the runtime finds its own `cabi_realloc`. */
  readonly reallocSlot: number;
}

const LAYOUT = ["tableSize", "runtimeTable", "runtimeMemory", "bindingsTable", "bindingsMemory", "reallocSlot"] as const satisfies readonly (keyof Layout)[];

/** @throws BelljarError BAD_IMAGE when an image is not one of this guest. */
export function layoutOf(addresses: Readonly<Record<string, number>>): Layout {
  const layout = { tableSize: 0, runtimeTable: 0, runtimeMemory: 0, bindingsTable: 0, bindingsMemory: 0, reallocSlot: 0 };
  for (const name of LAYOUT) {
    const value = addresses[name];
    if (value === undefined) throw new BelljarError("BAD_IMAGE", `the image does not say ${name}`);
    layout[name] = value;
  }
  return layout;
}

/** What an instance reaches of its host. */
export interface JavascriptHost extends Preview2Host, JavascriptDoor {}

/** Text that lies in the guest's memory. */
type Lowered = ReturnType<typeof lowerBytes>;

/** An instance of the JavaScript guest. */
export interface JavascriptCore extends CanonicalMemory {
  readonly table: WebAssembly.Table;
  /** All that is state, beside the memory. */
  readonly globals: Globals;
  readonly meters: readonly Meter[];
  /** The pages that guest and host have written to. */
  readonly record: PageRecord;
  /** Starts a turn (`turn` of wasm/guest.wit). */
  turn(code: Lowered, plan: Lowered, kept: boolean, dropTimers: boolean): void;
  /** Runs what is due; tells the host's `report` when the turn is over. */
  next(): void;
  interrupt(): void;
  /** Tells the host's `catchable` where the code is, amid whatever it does; what was going on can't go on afterwards. */
  where(): void;
}

/** The mutable globals, which all are the linker's and so the host's to make. */
export const GLOBAL_NAMES = ["__stack_pointer", "cabi_realloc", "__heap_base", "__heap_end"] as const;

/** @throws BelljarError BAD_MODULE when the modules are not a pair made by one build. */
export function instantiateJavascript(
  { runtime, bindings }: JavascriptModules,
  memory: WebAssembly.Memory,
  layout: Layout,
  host: JavascriptHost,
): JavascriptCore {
  const table = new WebAssembly.Table({ element: "anyfunc", initial: layout.tableSize });
  const globals = new Map(GLOBAL_NAMES.map((name) => [name, new WebAssembly.Global({ value: "i32", mutable: true }, 0)]));
  const global = (name: (typeof GLOBAL_NAMES)[number]): WebAssembly.Global => {
    const found = globals.get(name);
    if (found === undefined) throw new BelljarError("BAD_MODULE", `no global ${name}`);
    return found;
  };
  const env = (memoryBase: number, tableBase: number): WebAssembly.ModuleImports => ({
    memory,
    __indirect_function_table: table,
    __stack_pointer: global("__stack_pointer"),
    __memory_base: memoryBase,
    __table_base: tableBase,
  });
  // Imports and exports of the two need each other: the runtime's come first, and are called only later.
  const canonical: CanonicalMemory = {
    memory,
    realloc: (...args) => Number(realloc(...args)),
    touched: (pointer, length) => record.mark(pointer, length),
  };

  const engine = new WebAssembly.Instance(runtime, {
    ...preview2Imports(canonical, host),
    env: env(layout.runtimeMemory, layout.runtimeTable),
    "GOT.func": { cabi_realloc: global("cabi_realloc") },
    "GOT.mem": { __heap_base: global("__heap_base"), __heap_end: global("__heap_end") },
  });
  const record = pageRecord(engine, memory);
  const realloc = exportedFunction(engine, "cabi_realloc");
  table.set(layout.reallocSlot, engine.exports["cabi_realloc"]);
  const { door, results } = doorImports(canonical, host);
  const carrier = new WebAssembly.Instance(bindings, {
    env: { ...engine.exports, ...env(layout.bindingsMemory, layout.bindingsTable) },
    "belljar:guest/door": door,
    "[export]$root": results,
    [RECORD_IMPORT.module]: { [RECORD_IMPORT.name]: exportedRecord(engine) },
  });
  const start = exportedFunction(carrier, "[async-lift]turn");
  const proceed = exportedFunction(carrier, "[async-lift]next");
  const interrupt = exportedFunction(carrier, "interrupt");
  const where = exportedFunction(carrier, "where");

  return {
    ...canonical,
    table,
    globals,
    meters: [exportedMeter(engine), exportedMeter(carrier)],
    record,
    turn: (code, plan, kept, dropTimers) => expectExit(start(code.pointer, code.length, plan.pointer, plan.length, kept ? 1 : 0, dropTimers ? 1 : 0)),
    next: () => expectExit(proceed()),
    interrupt: () => void interrupt(),
    where: () => void where(),
  };
}

/** The callback code of the async ABI: all jobs have run when a call returns, and nothing waits for the host. */
function expectExit(code: unknown): void {
  if (code !== 0) throw new BelljarError("GUEST_FAULT", `the guest ended a call with code ${String(code)}`);
}

