import { costOf } from "./cost.ts";
import { newInstruction, readInstruction, type Spaces } from "./instruction.ts";
import { OP } from "./opcodes.ts";
import type { Cursor } from "./reader.ts";

/** The code of a function that is defined in the module. */
export interface Definition {
  /** At its first instruction. */
  readonly code: Cursor;
  readonly parameters: number;
  /** Parameters and locals. */
  readonly locals: number;
  /** Block type of what it returns: 0x40 for nothing, a value type of one byte; undefined for any other. */
  readonly result: number | undefined;
}

/** Who calls whom by name. Functions count from the first that is defined; a call of an import is not noted. */
interface Calls {
  /** Where each function's callees begin in `callees`, and where the last one's end. */
  readonly starts: Int32Array;
  readonly callees: number[];
  /** The fuel of all its instructions, each once. */
  readonly cost: Float64Array;
}

/** Untested work that one call can lead to, in instructions: far less than a slice of fuel. */
const MAX_UNTESTED = 100_000;

function readCalls(definitions: readonly Definition[], spaces: Spaces, imported: number, taken: Set<number>): Calls {
  const starts = new Int32Array(definitions.length + 1);
  const callees: number[] = [];
  const cost = new Float64Array(definitions.length);
  const instruction = newInstruction();
  for (const [index, { code, locals }] of definitions.entries()) {
    const cursor = { ...code };
    let sum = 1;
    while (cursor.at < cursor.end) {
      readInstruction(cursor, spaces, locals, instruction);
      const { op } = instruction;
      sum += costOf(instruction);
      if (op === OP.refFunc) taken.add(instruction.index);
      else if ((op === OP.call || op === OP.returnCall) && instruction.index >= imported) callees.push(instruction.index - imported);
    }
    cost[index] = sum;
    starts[index + 1] = callees.length;
  }
  return { starts, callees, cost };
}

/**
 * The functions whose entry needs neither charge nor test, callees before their callers: only named calls reach
 * them, which pay for them, and each way around a circle of calls has a function that is not among them.
 * @param taken indices of functions that can be called otherwise: exported, in a table, referenced
 */
export function unmarkedFunctions(
  definitions: readonly Definition[],
  spaces: Spaces,
  imported: number,
  taken: Set<number>,
): number[] {
  const { starts, callees, cost } = readCalls(definitions, spaces, imported, taken);
  const work = new Float64Array(definitions.length).fill(-1);
  const marked = Uint8Array.from(definitions, (_, index) => (taken.has(index + imported) ? 1 : 0));
  const next = starts.slice();
  const found: number[] = [];
  const open = (index: number): void => {
    work[index] = 0;
    path.push(index);
  };
  const close = (index: number): void => {
    let sum = cost[index] ?? 0;
    for (let at = starts[index] ?? 0; at < (starts[index + 1] ?? 0); at++) sum += work[callees[at] ?? 0] ?? 0;
    if (sum > MAX_UNTESTED) marked[index] = 1;
    // What a marked function does comes after a test of its own.
    work[index] = marked[index] === 1 ? 0 : sum;
    if (marked[index] === 0) found.push(index + imported);
    closed[index] = 1;
  };
  const closed = new Uint8Array(definitions.length);
  const path: number[] = [];
  for (let root = 0; root < definitions.length; root++) {
    if (work[root] === -1) open(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const at = next[top] ?? 0;
      const callee = at < (starts[top + 1] ?? 0) ? callees[at] : undefined;
      next[top] = at + 1;
      if (callee === undefined) {
        path.pop();
        close(top);
      } else if (work[callee] === -1) open(callee);
      else if (closed[callee] === 0) marked[callee] = 1;
    }
  }
  return found;
}
