import { BelljarError } from "../../src/base/errors.ts";
import { captureImage, type Image } from "../../src/engine/image.ts";
import { GLOBAL_NAMES, type JavascriptModules, type Layout } from "../../src/guests/javascript-core.ts";
import { findEngineWords, proveEngineWords } from "./engine-words.ts";

const WASM_PAGE = 65_536;
/** The stack in memory that replaces the linker's 1 MiB: some 22,000 frames of a simple function. */
const STACK_BYTES = 6 * 1_048_576;

/** Makes the guest's image: the initialised engine on a stack of its own, and what the host must know of it. */
export async function makeJavascriptImage(modules: JavascriptModules, state: Uint8Array): Promise<Image> {
  const linked = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(state)), {
    wasi_snapshot_preview1: { reset_adapter_state: () => {} },
  }).exports;
  const number = (name: string): number => {
    const global = linked[name];
    if (!(global instanceof WebAssembly.Global)) throw new BelljarError("BAD_MODULE", `the linker made no global ${name}`);
    return Number(global.value);
  };
  const { memory, __indirect_function_table: table } = linked;
  if (!(memory instanceof WebAssembly.Memory) || !(table instanceof WebAssembly.Table)) {
    throw new BelljarError("BAD_MODULE", "the linker made no memory or no table");
  }
  const interruptSlot = table.length;
  const rejectionSlot = interruptSlot + 1;
  const layout: Layout = {
    tableSize: table.length + 2,
    runtimeTable: number("componentize_qjs_runtime.wasm:table_base"),
    runtimeMemory: number("componentize_qjs_runtime.wasm:memory_base"),
    bindingsTable: number("wit-dylib.wasm:table_base"),
    bindingsMemory: number("wit-dylib.wasm:memory_base"),
    reallocSlot: number("componentize_qjs_runtime.wasm:cabi_realloc"),
  };
  const floor = memory.buffer.byteLength;
  memory.grow(STACK_BYTES / WASM_PAGE);
  const values = {
    __stack_pointer: memory.buffer.byteLength,
    cabi_realloc: layout.reallocSlot,
    __heap_base: number("__heap_base"),
    __heap_end: number("__heap_end"),
  } as const satisfies Record<(typeof GLOBAL_NAMES)[number], number>;
  const globals = new Map(GLOBAL_NAMES.map((name) => [name, new WebAssembly.Global({ value: "i32", mutable: true }, values[name])]));
  const addresses = { ...layout, interruptSlot, rejectionSlot, stackBottom: floor };
  const found = await findEngineWords(modules, captureImage(memory, globals, addresses));
  const words = new DataView(memory.buffer);
  words.setUint32(found.interruptHandler, interruptSlot, true);
  words.setUint32(found.rejectionTracker, rejectionSlot, true);
  const image = captureImage(memory, globals, { ...addresses, ...found });
  await proveEngineWords(modules, image);
  return image;
}
