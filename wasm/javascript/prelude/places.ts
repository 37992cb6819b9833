import type { Node, Program } from "acorn";
import { HOOK } from "./completion.ts";
import type { Edits } from "./edits.ts";
import { isNode } from "./nodes.ts";

interface Parsed {
  readonly program: Program;
  origin(offset: number): number;
}

/** Where the code last threw a value that is no error, of which the engine keeps no stack. */
export interface Throw {
  readonly value: unknown;
  /** The unit's `lineOffset`, and the offset in its code as it was given. */
  readonly unit: number;
  readonly offset: number;
}

let last: Throw | undefined;

/** Remembers where a value is thrown, and gives it back: what `throw` is made to call. */
export function thrown(value: unknown, unit: number, offset: number): unknown {
  last = value instanceof Error ? undefined : { value, unit, offset };
  return value;
}

/** Where the code threw that value, when it was the last that it threw. */
export function lastThrow(value: unknown): Throw | undefined {
  return last !== undefined && Object.is(last.value, value) ? last : undefined;
}

/** Forgets what was thrown: it may hold much. */
export function forgetThrow(): void {
  last = undefined;
}

/**
 * Gives a place to what has none in the engine: a declaration that takes a value apart reads a property before it sets
 * one, and the step that fails has no position; `throw` of what is no error leaves no stack.
 */
export function markPlaces({ program, origin }: Parsed, unit: number, edits: Edits): void {
  const mark = (node: Node, isStatement: boolean): void => {
    if (node.type === "VariableDeclaration" && isStatement && "declarations" in node && Array.isArray(node.declarations)) {
      if (node.declarations.some(({ id }) => id.type !== "Identifier")) edits.insert(node.start, `${HOOK}.value; `);
    }
    const argument = node.type === "ThrowStatement" && "argument" in node && isNode(node.argument) ? node.argument : undefined;
    if (argument !== undefined) edits.insert(argument.start, `${HOOK}.thrown((`);
    for (const child of Object.values(node)) {
      if (isNode(child)) mark(child, node.type === "ExportNamedDeclaration");
      else if (Array.isArray(child)) for (const item of child) if (isNode(item)) mark(item, true);
    }
    if (argument !== undefined) edits.insert(argument.end, `), ${unit}, ${origin(node.start)})`);
  };
  mark(program, true);
}
