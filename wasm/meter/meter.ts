import { BelljarError } from "../../src/base/errors.ts";
import { writeCode } from "./code.ts";
import { FUEL_EXPORT, GLOBAL_EXPORT, type Metered, type MeterOptions, type NumberType, PLAIN_EXPORT, RECORD_EXPORT, YIELD_EXPORT } from "./contract.ts";
import { type Global, KIND } from "./entry.ts";
import { functionNames, readNames } from "./names.ts";
import { RECORD_MEMORY } from "./record.ts";
import { type Addition, rewriteSections } from "./rewrite.ts";
import { readSections, SECTION } from "./sections.ts";
import { readShape, type Shape } from "./shape.ts";

export { FUEL_EXPORT, GLOBAL_EXPORT, MEMORY_IMPORT, type Metered, type MeterOptions, PLAIN_EXPORT, RECORD_EXPORT, RECORD_IMPORT, START_FUEL, YIELD_EXPORT } from "./contract.ts";
export { functionNames };

function numberType(code: number): NumberType | undefined {
  if (code === 0x7f) return "i32";
  if (code === 0x7e) return "i64";
  if (code === 0x7d) return "f32";
  return code === 0x7c ? "f64" : undefined;
}

function stateGlobal(global: Global, index: number): { name: string; type: NumberType; index: number }[] {
  if (!global.mutable) return [];
  const type = numberType(global.type);
  if (type === undefined) {
    throw new BelljarError("BAD_MODULE", `global ${index} is mutable and of a type that no image can hold (global section)`);
  }
  return [{ name: `${GLOBAL_EXPORT}${index}`, type, index }];
}

function namedExports(wanted: Readonly<Record<string, string>>, names: () => Map<string, number>, shape: Shape): Addition["exports"] {
  const entries = Object.entries(wanted);
  const known = entries.length > 0 ? names() : new Map<string, number>();
  return entries.map(([name, functionName]) => {
    const index = known.get(functionName);
    if (index === undefined || index >= shape.functions) {
      throw new BelljarError("BAD_MODULE", `no function is named ${functionName} (name section)`);
    }
    return { name, kind: KIND.function, index };
  });
}

/**
 * Rewrites a core module so that it counts the instructions it runs, as wasmtime counts fuel, and can be stopped.
 * @param bytes a core Wasm module
 * @throws BAD_MODULE, with the section and the offset, when it is malformed or holds what is not supported: several
 * memories, 64-bit memories, garbage-collected types, mutable globals that are no numbers, an export name taken twice
 */
export function meter(bytes: Uint8Array, options: MeterOptions = {}): Metered {
  const sections = readSections(bytes);
  const shape = readShape(sections);
  const fuel = options.fuel ?? true;
  const record = options.record ?? false;
  const importRecord = record && (options.importRecord ?? false);
  const charged = fuel && (options.charged ?? true);
  const marked = record && (options.marked ?? true);
  const twins = charged && marked && (options.twins ?? false);
  const state = shape.definedGlobals.flatMap((global, index) => stateGlobal(global, shape.importedGlobals + index));
  const exports = [
    ...state.map(({ name, index }) => ({ name, kind: KIND.global, index })),
    ...namedExports(options.exportFunctions ?? {}, () => readNames(sections), shape),
    ...(fuel ? [{ name: FUEL_EXPORT, kind: KIND.global, index: shape.globals }, { name: YIELD_EXPORT, kind: KIND.table, index: shape.tables }] : []),
    ...(twins ? [{ name: PLAIN_EXPORT, kind: KIND.global, index: shape.globals + 1 }] : []),
    ...(record && !importRecord ? [{ name: RECORD_EXPORT, kind: KIND.memory, index: RECORD_MEMORY }] : []),
  ];
  const taken = new Set(shape.exportNames);
  for (const { name } of exports) {
    if (taken.has(name)) throw new BelljarError("BAD_MODULE", `export ${name} is there already (export section)`);
    taken.add(name);
  }
  if (options.importMemory === true && shape.memory === undefined) {
    throw new BelljarError("BAD_MODULE", "no memory is defined that could become an import (memory section)");
  }
  if (record && shape.memories !== RECORD_MEMORY) throw new BelljarError("BAD_MODULE", "no memory is defined whose pages could be recorded (memory section)");
  if (importRecord && shape.memory !== undefined) throw new BelljarError("BAD_MODULE", "only with a memory that is an import can the record be one (memory section)");
  for (const { kind, index } of exports) if (kind === KIND.function) shape.taken.add(index);
  const code = writeCode(sections.find((section) => section.id === SECTION.code), shape, { fuel: charged, record: marked, twins });
  return {
    bytes: rewriteSections(bytes, sections, shape, {
      fuel,
      record,
      importRecord,
      twins,
      exports,
      code: code.bytes,
      hints: code.hints,
      appended: code.appended,
      importMemory: options.importMemory ?? false,
      dropData: options.dropData ?? false,
      stripCustom: options.stripCustom ?? false,
    }),
    globals: state.map(({ name, type }) => ({ name, type })),
    functions: shape.functionTypes.length,
    loops: code.loops,
  };
}
