import { parse, type Node } from "acorn";
import { HOOK } from "../../../src/guests/javascript-source/completion.ts";
import { isNode } from "../../../src/guests/javascript-source/nodes.ts";
import type { Frames, RunPlace } from "./stack.ts";

/** Characters that are quoted of an expression. */
const LONGEST = 60;

/**
 * The engine's message with what it leaves out, read from the code: which expression is no function,
 * can't be iterated or taken apart. Undefined when there is nothing to add.
 */
export function explain(message: string, { first, callee }: Frames): string | undefined {
  if (first === undefined) return undefined;
  const find = (matches: (node: Node) => boolean): Node | undefined => innermost(first, matches);
  if (message === "not a function") {
    const call = find((node) => node.type === "CallExpression" || node.type === "NewExpression");
    const called = part(call, "callee");
    if (call === undefined || called === undefined) return undefined;
    if (callee === "eval") return undefined;
    if (callee !== "") return `${textOf(called, first)} was given what is not a function`;
    return `${textOf(called, first)} is not a ${call.type === "NewExpression" ? "constructor" : "function"}`;
  }
  if (callee !== "") return undefined;
  const pattern = find((node) => isPattern(node, "left")) ?? declared(first) ?? find((node) => /Function/.test(node.type) && node.start === first.offset);
  const source = part(pattern, "init") ?? part(pattern, "right");
  if (message === "Cannot convert undefined or null to object") {
    if (source !== undefined) return `${textOf(source, first)}, or a part of it that is taken apart, is undefined or null`;
    return pattern === undefined ? undefined : "an argument that is taken apart is undefined or null";
  }
  if (message === "value is not iterable") {
    const taken = part(find((node) => node.type === "ForOfStatement"), "right") ?? part(find((node) => node.type === "SpreadElement"), "argument") ?? source;
    return taken === undefined ? undefined : `${textOf(taken, first)} is not iterable`;
  }
  return undefined;
}

function isPattern(node: Node, name: "id" | "left"): boolean {
  return /Pattern$/.test(part(node, name)?.type ?? "");
}

/** What takes something apart, in the statement whose mark the place is. */
function declared(place: RunPlace): Node | undefined {
  if (!place.compiled.body.startsWith(`${HOOK}.value`, place.offset)) return undefined;
  const start = place.compiled.origin(place.offset);
  let found: Node | undefined;
  walk(place, (node) => {
    if (!isPattern(node, "id") && !isPattern(node, "left")) return;
    if (found === undefined && place.compiled.origin(node.start) >= start) found = node;
  });
  return found;
}

function part(node: Node | undefined, name: string): Node | undefined {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, name);
  return isNode(value) ? value : undefined;
}

/** The smallest node that holds the place and matches. */
function innermost(place: RunPlace, matches: (node: Node) => boolean): Node | undefined {
  const { origin } = place.compiled;
  const at = origin(place.offset);
  let found: Node | undefined;
  walk(place, (node) => {
    if (at >= origin(node.start) && at <= origin(node.end) && matches(node)) found = node;
  });
  return found;
}

/** Calls back for each node, an outer one before those in it, in the order of the code. */
function walk({ compiled }: RunPlace, look: (node: Node) => void): void {
  const visit = (node: Node): void => {
    look(node);
    for (const child of Object.values(node)) {
      for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) visit(item);
    }
  };
  try {
    visit(parse(compiled.body, { ecmaVersion: "latest", allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true, allowHashBang: true }));
  } catch {
    // Code that can't be read a second time, such as one that nests too deep, explains nothing.
  }
}

/** The code of a node as it was given, on one line. */
function textOf(node: Node, { code, compiled }: RunPlace): string {
  const text = code.slice(compiled.origin(node.start), compiled.origin(node.end)).trim().replace(/\s+/g, " ");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
