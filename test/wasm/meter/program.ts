import { COST, ENTRY_COST } from "../../../wasm/meter/cost.ts";
import { BULK, OP } from "../../../wasm/meter/opcodes.ts";
import { s, VOID } from "./assembler.ts";

/** How many bytes: as many as the code says, or what these bits of the state say. */
type Length = { readonly bytes: number } | { readonly mask: number };

/** A program of one i32 state and a page of memory, as a tree: what the meter's placement of charges is compared with. */
export type Step =
  | { readonly kind: "mix"; readonly by: number }
  | { readonly kind: "nop" }
  | { readonly kind: "fill"; readonly to: number; readonly length: Length }
  | { readonly kind: "copy"; readonly to: number; readonly from: number; readonly length: Length }
  | { readonly kind: "load"; readonly at: number }
  | { readonly kind: "block"; readonly body: readonly Step[] }
  | { readonly kind: "loop"; readonly turns: number; readonly body: readonly Step[] }
  | { readonly kind: "if"; readonly bit: number; readonly yes: readonly Step[]; readonly no?: readonly Step[] }
  | { readonly kind: "br"; readonly label: number }
  | { readonly kind: "br_if"; readonly bit: number; readonly label: number }
  | { readonly kind: "br_table"; readonly labels: readonly number[] }
  | { readonly kind: "call"; readonly function: number }
  | { readonly kind: "return" };

/** Locals: the state, then a counter for each loop by its depth. */
export const STATE = 0;
const MIX = 0x6a;
const AND = 0x71;
const LOAD_BYTE = 0x2d;

function mixed(by: number): number[] {
  return [OP.localGet, STATE, OP.i32Const, 5, 0x6c, OP.i32Const, ...s(by), MIX, OP.localSet, STATE];
}

function lengthOf(length: Length): number[] {
  if ("bytes" in length) return [OP.i32Const, ...s(length.bytes)];
  return [OP.localGet, STATE, OP.i32Const, ...s(length.mask), AND];
}

/** Bit of the state, as a condition. */
function tested(bit: number): number[] {
  return [OP.localGet, STATE, OP.i32Const, bit, 0x76, OP.i32Const, 1, 0x71];
}

/** The Wasm code of steps. @param loops how many loops are around them */
export function encode(steps: readonly Step[], loops = 0): number[] {
  return steps.flatMap((step): number[] => {
    if (step.kind === "mix") return mixed(step.by);
    if (step.kind === "nop") return [OP.nop];
    if (step.kind === "fill") return [OP.i32Const, ...s(step.to), OP.localGet, STATE, ...lengthOf(step.length), OP.misc, BULK.memoryFill, 0];
    if (step.kind === "copy") {
      return [OP.i32Const, ...s(step.to), OP.i32Const, ...s(step.from), ...lengthOf(step.length), OP.misc, BULK.memoryCopy, 0, 0];
    }
    if (step.kind === "load") {
      return [OP.localGet, STATE, OP.i32Const, 5, 0x6c, OP.i32Const, ...s(step.at), LOAD_BYTE, 0, 0, MIX, OP.localSet, STATE];
    }
    if (step.kind === "block") return [OP.block, VOID, ...encode(step.body, loops), OP.end];
    if (step.kind === "loop") return encodedLoop(step.turns, step.body, loops + 1);
    if (step.kind === "if") {
      const other = step.no === undefined ? [] : [OP.else, ...encode(step.no, loops)];
      return [...tested(step.bit), OP.if, VOID, ...encode(step.yes, loops), ...other, OP.end];
    }
    if (step.kind === "br") return [OP.br, step.label];
    if (step.kind === "br_if") return [...tested(step.bit), OP.brIf, step.label];
    if (step.kind === "br_table") {
      const [last = 0, ...others] = step.labels;
      return [OP.localGet, STATE, OP.i32Const, 3, 0x71, OP.brTable, others.length, ...others, last];
    }
    if (step.kind === "call") return [OP.localGet, STATE, OP.call, step.function, OP.localSet, STATE];
    return [OP.localGet, STATE, OP.return];
  });
}

/** Each way around first counts down, and leaves when the count is used up: so every program ends. */
function encodedLoop(turns: number, body: readonly Step[], loop: number): number[] {
  const count = [OP.localGet, loop, OP.i32Const, 1, 0x6b, OP.localTee, loop, 0x45, OP.brIf, 1];
  const set = [OP.i32Const, turns + 1, OP.localSet, loop];
  return [...set, OP.block, VOID, OP.loop, VOID, ...count, ...encode(body, loop), OP.br, 0, OP.end, OP.end];
}

interface Run {
  state: number;
  fuel: number;
  readonly memory: Uint8Array;
}

/** Where steps end: by coming to their end, at an enclosing label, or out of the function. */
type End = "next" | "return" | number;

function costOf(code: readonly number[]): number {
  return code.reduce((sum, op) => sum + (COST[op] ?? 1), 0);
}

const MIX_COST = costOf([OP.localGet, OP.i32Const, 0x6c, OP.i32Const, MIX, OP.localSet]);
const LOAD_COST = costOf([OP.localGet, OP.i32Const, 0x6c, OP.i32Const, LOAD_BYTE, MIX, OP.localSet]);
const TEST_COST = costOf([OP.localGet, OP.i32Const, 0x76, OP.i32Const, 0x71]);

/** Runs a function of the program by walking its tree. @returns its state at the end, and the fuel of every step */
export function interpret(functions: readonly (readonly Step[])[], index: number, state: number, memory: Uint8Array): Run {
  const run = { state, fuel: ENTRY_COST, memory };
  if (walk(functions, functions[index] ?? [], run) !== "return") run.fuel += 1;
  return run;
}

function walk(functions: readonly (readonly Step[])[], steps: readonly Step[], run: Run): End {
  for (const step of steps) {
    const end = walkOne(functions, step, run);
    if (end !== "next") return end;
  }
  return "next";
}

/** What leaving a block by `end` looks like from outside of it. */
function outside(end: End): End {
  if (typeof end !== "number") return end;
  return end === 0 ? "next" : end - 1;
}

function bitOf(run: Run, bit: number): boolean {
  run.fuel += TEST_COST + 1;
  return ((run.state >>> bit) & 1) === 1;
}

function walkOne(functions: readonly (readonly Step[])[], step: Step, run: Run): End {
  if (step.kind === "nop") return "next";
  if (step.kind === "mix") {
    run.state = (Math.imul(run.state, 5) + step.by) | 0;
    run.fuel += MIX_COST;
    return "next";
  }
  if (step.kind === "fill" || step.kind === "copy") {
    const { to, length } = step;
    const bytes = "bytes" in length ? length.bytes : run.state & length.mask;
    if (step.kind === "fill") run.memory.fill(run.state, to, to + bytes);
    else run.memory.copyWithin(to, step.from, step.from + bytes);
    run.fuel += ("bytes" in length ? 4 : 6) + bytes;
    return "next";
  }
  if (step.kind === "load") {
    run.state = (Math.imul(run.state, 5) + (run.memory[step.at] ?? 0)) | 0;
    run.fuel += LOAD_COST;
    return "next";
  }
  if (step.kind === "block") return outside(walk(functions, step.body, run));
  if (step.kind === "loop") return outside(walkLoop(functions, step, run));
  if (step.kind === "if") {
    return outside(walk(functions, bitOf(run, step.bit) ? step.yes : (step.no ?? []), run));
  }
  if (step.kind === "br_if") return bitOf(run, step.bit) ? step.label : "next";
  if (step.kind === "br") {
    run.fuel += 1;
    return step.label;
  }
  if (step.kind === "br_table") {
    const [last = 0, ...others] = step.labels;
    run.fuel += 4;
    return others[run.state & 3] ?? last;
  }
  if (step.kind === "call") {
    const inner = interpret(functions, step.function, run.state, run.memory);
    run.state = inner.state;
    run.fuel += inner.fuel + 3;
    return "next";
  }
  run.fuel += 1;
  return "return";
}

/** Ends as seen from inside the block that is around the loop. */
function walkLoop(functions: readonly (readonly Step[])[], step: Extract<Step, { kind: "loop" }>, run: Run): End {
  run.fuel += 2;
  for (let left = step.turns + 1; ; ) {
    run.fuel += 6;
    left--;
    if (left === 0) return 0;
    const end = walk(functions, step.body, run);
    if (end === "return") return end;
    if (end === "next") run.fuel += 1;
    else if (end > 0) return end - 1;
  }
}
