import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, exportOf, I32 } from "./assembler.ts";
import { encode, STATE, type Step } from "./program.ts";

/** Loops that are in each other at most. */
const MAX_LOOPS = 3;

/** Whole numbers below a limit, the same for the same seed (mulberry32). */
export function numbers(seed: number): (limit: number) => number {
  let at = seed;
  return (limit) => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Where random steps stand: inside of `labels` labels and `loops` loops, in function `own`, which may call those after it. */
interface Place {
  readonly depth: number;
  readonly labels: number;
  readonly loops: number;
  readonly own: number;
  /** How many labels a branch over several has at least. */
  readonly fewest?: number;
}

function randomSteps(next: (limit: number) => number, { depth, labels, loops, own, fewest = 0 }: Place): Step[] {
  return Array.from({ length: 1 + next(5) }, (): Step => {
    const inner = (more: number, loop = 0): Step[] => randomSteps(next, { depth: depth - 1, labels: labels + more, loops: loops + loop, own, fewest });
    const kind = next(depth > 0 ? 15 : 10) - 3;
    if (kind === -1) return { kind: "load", at: next(2_000) };
    if (kind < -1) {
      const length = next(2) === 0 ? { bytes: next(next(20) === 0 ? 9_000 : 50) } : { mask: (1 << (1 + next(10))) - 1 };
      if (kind === -2) return { kind: "fill", to: next(2_000), length };
      return { kind: "copy", to: next(2_000), from: next(2_000), length };
    }
    if (kind < 2) return { kind: "mix", by: next(100) };
    if (kind === 2) return { kind: "nop" };
    if (kind === 3 && own < 2) return { kind: "call", function: own + 1 };
    if (kind === 3 || kind === 4) return { kind: "br_if", bit: next(5), label: next(labels) };
    if (kind === 5) return next(3) === 0 ? { kind: "return" } : { kind: "br_if", bit: next(3), label: next(labels) };
    if (kind === 6) {
      if (next(2) === 0) return { kind: "br", label: next(labels) };
      return { kind: "br_table", labels: Array.from({ length: Math.max(fewest, 1 + next(4)) }, () => next(labels)) };
    }
    if (kind === 7) return { kind: "block", body: inner(1) };
    if (kind < 10 && loops < MAX_LOOPS) return { kind: "loop", turns: next(5), body: inner(2, 1) };
    if (kind === 10) return { kind: "if", bit: next(5), yes: inner(1) };
    return { kind: "if", bit: next(5), yes: inner(1), no: inner(1) };
  });
}

/** Three functions that may call those after them, each a block, whose label takes the branches that lead furthest out. */
export function randomFunctions(next: (limit: number) => number, fewest = 0): Step[][] {
  return [0, 1, 2].map((own): Step[] => [{ kind: "block", body: randomSteps(next, { depth: 4, labels: 1, loops: 0, own, fewest }) }]);
}

/** A module of them with a memory. The others are called by name alone, so f0 pays for their entries. */
export function moduleOf(functions: readonly Step[][]): Uint8Array {
  return assemble({
    types: [[[I32], [I32]]],
    memories: [[0, 1]],
    exports: [exportOf("memory", 2, 0)],
    functions: functions.map((steps, index) => ({
      type: 0,
      ...(index === 0 ? { name: "f0" } : {}),
      locals: Array.from({ length: MAX_LOOPS }, () => I32),
      code: encode(steps).concat([OP.localGet, STATE]),
    })),
  });
}
