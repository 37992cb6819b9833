import { parse, type Node } from "acorn";
import { HOOK } from "../../../src/guests/javascript-source/completion.ts";
import { isNode } from "../../../src/guests/javascript-source/nodes.ts";
import type { Frames, RunPlace } from "./stack.ts";

/** The engine's messages that leave something out; for any other the code is not read, which takes millions of instructions. */
const NOT_A_FUNCTION = "not a function";
const NOT_AN_OBJECT = "Cannot convert undefined or null to object";
const NOT_ITERABLE = "value is not iterable";
const EXPLAINED: readonly string[] = [NOT_A_FUNCTION, NOT_AN_OBJECT, NOT_ITERABLE];

/** Characters that are quoted of an expression. */
const LONGEST = 60;

/**
 * The engine's message with what it leaves out, read from the code: which expression is no function,
 * can't be iterated or taken apart. Undefined when there is nothing to add.
 */
export function explain(message: string, { first, callee }: Frames): string | undefined {
  if (first === undefined || !EXPLAINED.includes(message)) return undefined;
  if (message === NOT_A_FUNCTION ? callee === "eval" : callee !== "") return undefined;
  const nodes = nodesOf(first);
  const find = (matches: (node: Node) => boolean): Node | undefined => innermost(nodes, first, matches);
  if (message === NOT_A_FUNCTION) {
    const call = find((node) => node.type === "CallExpression" || node.type === "NewExpression");
    const called = part(call, "callee");
    if (call === undefined || called === undefined) return undefined;
    if (callee !== "") return `${textOf(called, first)} was given what is not a function`;
    return `${textOf(called, first)} is not a ${call.type === "NewExpression" ? "constructor" : "function"}`;
  }
  const pattern = find((node) => isPattern(node, "left")) ?? declared(nodes, first) ?? find((node) => /Function/.test(node.type) && node.start === first.offset);
  const source = part(pattern, "init") ?? part(pattern, "right");
  if (message === NOT_AN_OBJECT) {
    if (source !== undefined) return `${textOf(source, first)}, or a part of it that is taken apart, is undefined or null`;
    return pattern === undefined ? undefined : "an argument that is taken apart is undefined or null";
  }
  const taken = part(find((node) => node.type === "ForOfStatement"), "right") ?? part(find((node) => node.type === "SpreadElement"), "argument") ?? source;
  return taken === undefined ? undefined : `${textOf(taken, first)} is not iterable`;
}

function isPattern(node: Node, name: "id" | "left"): boolean {
  return /Pattern$/.test(part(node, name)?.type ?? "");
}

/** What takes something apart, in the statement whose mark the place is. */
function declared(nodes: readonly Node[], { compiled, offset }: RunPlace): Node | undefined {
  if (!compiled.body.startsWith(`${HOOK}.value`, offset)) return undefined;
  const start = compiled.origin(offset);
  return nodes.find((node) => (isPattern(node, "id") || isPattern(node, "left")) && compiled.origin(node.start) >= start);
}

function part(node: Node | undefined, name: string): Node | undefined {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, name);
  return isNode(value) ? value : undefined;
}

/** The smallest node that holds the place and matches. */
function innermost(nodes: readonly Node[], { compiled, offset }: RunPlace, matches: (node: Node) => boolean): Node | undefined {
  const at = compiled.origin(offset);
  return nodes.findLast((node) => at >= compiled.origin(node.start) && at <= compiled.origin(node.end) && matches(node));
}

/** All nodes, an outer one before those in it, in the order of the code. */
function nodesOf({ compiled }: RunPlace): readonly Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    for (const child of Object.values(node)) {
      for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) visit(item);
    }
  };
  try {
    visit(parse(compiled.body, { ecmaVersion: "latest", allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true, allowHashBang: true }));
  } catch {
    // Code that can't be read a second time, such as one that nests too deep, explains nothing.
  }
  return nodes;
}

/** The code of a node as it was given, on one line. */
function textOf(node: Node, { code, compiled }: RunPlace): string {
  const text = code.slice(compiled.origin(node.start), compiled.origin(node.end)).trim().replace(/\s+/g, " ");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
