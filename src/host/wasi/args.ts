import type { WasiContext } from "./context.ts";
import type { Pointers } from "./pointers.ts";

/** `args_get` and `args_sizes_get`. */
export function argsFunctions(context: WasiContext, guest: Pointers) {
  const { get, sizes } = stringTable(() => context.args, guest);
  return { args_get: get, args_sizes_get: sizes };
}

/** `environ_get` and `environ_sizes_get`. */
export function environFunctions(context: WasiContext, guest: Pointers) {
  const { get, sizes } = stringTable(() => Object.entries(context.env).map(([name, value]) => `${name}=${value}`), guest);
  return { environ_get: get, environ_sizes_get: sizes };
}

/** Strings as WASI hands them over: an array of pointers, and a buffer of strings that each end in NUL. */
function stringTable(list: () => readonly string[], guest: Pointers) {
  const encoded = (): Uint8Array[] => list().map((text) => new TextEncoder().encode(`${text}\0`));
  return {
    get(pointersAt: number, bufferAt: number): void {
      let pointer = pointersAt >>> 0;
      let buffer = bufferAt >>> 0;
      for (const text of encoded()) {
        guest.setU32(pointer, buffer);
        guest.bytes(buffer, text.length).set(text);
        pointer += 4;
        buffer += text.length;
      }
    },
    sizes(countAt: number, bytesAt: number): void {
      const all = encoded();
      guest.setU32(countAt, all.length);
      guest.setU32(bytesAt, all.reduce((sum, text) => sum + text.length, 0));
    },
  };
}
