import { refuse } from "../errno.ts";
import type { WasiContext } from "./context.ts";
import type { Pointers } from "./pointers.ts";

/** What one call of the entropy source takes. */
const CHUNK = 65_536;
/** Beyond this a call would hold the thread longer than a stop may take. */
const MAX_BYTES = 16 * 1024 * 1024;

/** `random_get`. */
export function randomFunctions(context: WasiContext, guest: Pointers) {
  return {
    random_get(bufferAt: number, length: number): void {
      if (length >>> 0 > MAX_BYTES) refuse("inval");
      fillRandom(context, guest.bytes(bufferAt, length));
    },
  };
}

export function fillRandom(context: WasiContext, into: Uint8Array): void {
  for (let at = 0; at < into.length; at += CHUNK) context.random(into.subarray(at, at + CHUNK));
}
