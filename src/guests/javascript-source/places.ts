import type { Node, Program } from "acorn";
import { HOOK } from "./completion.ts";
import type { Marks } from "./marks.ts";
import { isNode } from "./nodes.ts";

interface Parsed {
  readonly program: Program;
  origin(offset: number): number;
}

/**
 * Gives a place to what has none in the engine: a declaration that takes a value apart reads a property before it sets
 * one, and the step that fails has no position; `throw` of what is no error leaves no stack.
 */
export function markPlaces({ program, origin }: Parsed, marks: Marks): void {
  const mark = (node: Node, isStatement: boolean): void => {
    if (node.type === "VariableDeclaration" && isStatement && "declarations" in node && Array.isArray(node.declarations)) {
      if (node.declarations.some(({ id }) => id.type !== "Identifier")) marks.insert(node.start, `${HOOK}.value; `);
    }
    const argument = node.type === "ThrowStatement" && "argument" in node && isNode(node.argument) ? node.argument : undefined;
    if (argument !== undefined) marks.insert(argument.start, `${HOOK}.thrown((`);
    for (const child of Object.values(node)) {
      if (isNode(child)) mark(child, node.type === "ExportNamedDeclaration");
      else if (Array.isArray(child)) for (const item of child) if (isNode(item)) mark(item, true);
    }
    if (argument !== undefined) marks.endThrow(argument.end, origin(node.start));
  };
  mark(program, true);
}
