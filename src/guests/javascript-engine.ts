import type { Image } from "../engine/image.ts";
import type { JavascriptCore } from "./javascript-core.ts";

/** Words of QuickJS's own state that the host reads and writes: found, and proven, when the guest is built. */
export const ENGINE_WORDS = ["randomState", "stackLimit", "stackFloor", "interruptSlot"] as const;

/** (module (type (func (param i32 i32) (result i32))) (import "" "h" (func (type 0))) (export "h" (func 0))). */
const RELAY = new WebAssembly.Module(
  Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 2, 6, 1, 0, 1, 104, 0, 0, 7, 5, 1, 1, 104, 0, 0,
  ),
);

/** The host's hold on the engine, beneath what its own interface offers. */
export interface EngineWords {
  /** Gives this instance random numbers of its own. */
  reseed(): void;
  /** Arms the engine's check of its stack, which every entry from outside disarms. */
  enter(): void;
  /** Makes the engine throw at its next loop or call, or within a regular expression. */
  interrupt(): void;
  /** Forgets an interrupt that found nothing to interrupt. */
  rest(): void;
}

export function createEngineWords(core: JavascriptCore, addresses: Image["addresses"]): EngineWords {
  const word = (name: (typeof ENGINE_WORDS)[number]): number => addresses[name] ?? 0;
  const view = (): DataView => new DataView(core.memory.buffer);
  let wanted = false;
  const poll = (): number => {
    if (!wanted) return 0;
    wanted = false;
    core.interrupt();
    return 1;
  };
  const relay = new WebAssembly.Instance(RELAY, { "": { h: poll } });
  core.table.set(word("interruptSlot"), relay.exports["h"]);

  return {
    reseed() {
      // A state of zero would stay zero for ever (xorshift64*).
      const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
      view().setBigUint64(word("randomState"), seed | 1n, true);
    },
    enter: () => view().setUint32(word("stackLimit"), word("stackFloor"), true),
    interrupt: () => void (wanted = true),
    rest: () => void (wanted = false),
  };
}
