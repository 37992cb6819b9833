import type { Image } from "../engine/image.ts";
import type { JavascriptCore } from "./javascript-core.ts";

/** Words of QuickJS's own state that the host reads and writes: found, and proven, when the guest is built. */
export const ENGINE_WORDS = ["randomState", "stackLimit", "stackFloor", "interruptSlot", "rejectionSlot", "cells"] as const;

/** Cells of the prelude (cells.ts): one for an interrupt's error, the rest for rejected promises. */
const CELLS = 8;
const CELL_BYTES = 8;
/** One more cell, which is the number 1 while a timer of an earlier turn runs. */
const OLD_TIMER = CELLS;
/** The cell's content when it is free: the engine's value for the number 0. */
const FREE = 0n;
/** Offsets from an object: its count of references, its flags, of which one is `is_uncatchable_error`, and its class. */
const COUNT_OFFSET = -4;
const FLAGS_OFFSET = 8;
const UNCATCHABLE = 0x40;
const CLASS_OFFSET = 10;
const ERROR_CLASS = 3;

/** (module (type (func (param i32 i32) (result i32))) (import "" "h" (func (type 0))) (export "h" (func 0))). */
const INTERRUPT_RELAY = new WebAssembly.Module(
  Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 2, 6, 1, 0, 1, 104, 0, 0, 7, 5, 1, 1, 104, 0, 0,
  ),
);

/** (module (type (func (param i32 i64 i64 i32 i32))) (import "" "h" (func (type 0))) (export "h" (func 0))). */
const REJECTION_RELAY = new WebAssembly.Module(
  Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 9, 1, 96, 5, 127, 126, 126, 127, 127, 0, 2, 6, 1, 0, 1, 104, 0, 0, 7, 5, 1, 1, 104, 0, 0,
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
  /** Forgets an interrupt that found nothing to interrupt; true when there was one. */
  rest(): boolean;
  /** True while what an earlier turn has set a timer for runs, and when it was stopped at that. */
  inOldTimer(): boolean;
  /** Makes the error in the first cell one that code can catch, so that the interrupt unwinds as any error does. */
  catchable(): void;
}

export function createEngineWords(core: JavascriptCore, addresses: Image["addresses"]): EngineWords {
  const word = (name: (typeof ENGINE_WORDS)[number]): number => addresses[name] ?? 0;
  const view = (): DataView => new DataView(core.memory.buffer);
  const { touched } = core;
  let wanted = false;
  const poll = (): number => {
    if (!wanted) return 0;
    wanted = false;
    core.interrupt();
    return 1;
  };
  const install = (slot: number, relay: WebAssembly.Module, handler: (...args: never[]) => number | void): void => {
    core.table.set(slot, new WebAssembly.Instance(relay, { "": { h: handler } }).exports["h"]);
  };
  /** The engine's JSHostPromiseRejectionTracker: keeps a promise while nothing handles its rejection. */
  const track = (_context: number, promise: bigint, _reason: bigint, isHandled: number): void => {
    const memory = view();
    const counter = Number(promise & 0xffff_ffffn) + COUNT_OFFSET;
    if (counter < 0 || counter + 4 > memory.byteLength) return;
    for (let index = 1; index < CELLS; index += 1) {
      const cell = word("cells") + index * CELL_BYTES;
      const content = memory.getBigUint64(cell, true);
      const isThis = content === BigInt.asUintN(64, promise);
      if (isHandled === 0 ? content !== FREE : !isThis) continue;
      // The cell is one more reference to the promise, or one less.
      memory.setUint32(counter, memory.getUint32(counter, true) + (isHandled === 0 ? 1 : -1), true);
      touched(counter, 4);
      touched(cell, CELL_BYTES);
      memory.setBigUint64(cell, isHandled === 0 ? promise : FREE, true);
      return;
    }
  };
  install(word("interruptSlot"), INTERRUPT_RELAY, poll);
  install(word("rejectionSlot"), REJECTION_RELAY, track);

  return {
    reseed() {
      // A state of zero would stay zero for ever (xorshift64*).
      const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
      view().setBigUint64(word("randomState"), seed | 1n, true);
      touched(word("randomState"), 8);
    },
    enter() {
      view().setUint32(word("stackLimit"), word("stackFloor"), true);
      touched(word("stackLimit"), 4);
    },
    interrupt: () => void (wanted = true),
    rest() {
      const was = wanted;
      wanted = false;
      return was;
    },
    inOldTimer: () => view().getBigUint64(word("cells") + OLD_TIMER * CELL_BYTES, true) === 1n,
    catchable() {
      const memory = view();
      const object = memory.getUint32(word("cells"), true);
      if (object + CLASS_OFFSET + 2 > memory.byteLength || memory.getUint16(object + CLASS_OFFSET, true) !== ERROR_CLASS) return;
      touched(object + FLAGS_OFFSET, 1);
      memory.setUint8(object + FLAGS_OFFSET, memory.getUint8(object + FLAGS_OFFSET) & ~UNCATCHABLE);
    },
  };
}
