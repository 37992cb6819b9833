import type { Node } from "acorn";
import { HOOK } from "./completion.ts";
import type { Marks } from "./marks.ts";
import { isNode } from "./nodes.ts";

/** A top-level `return` gives the turn's value. */
export function markReturns(node: Node, marks: Marks): void {
  if (node.type === "ReturnStatement") {
    const argument = "argument" in node && isNode(node.argument) ? node.argument : undefined;
    const at = node.start + "return".length;
    marks.insert(argument?.start ?? at, argument ? `(${HOOK}.value = (` : ` ${HOOK}.value = void 0`);
    if (argument) marks.insert(argument.end, "))");
    return;
  }
  if (/Function|Class|Expression/.test(node.type)) return;
  for (const child of Object.values(node)) {
    if (isNode(child)) markReturns(child, marks);
    else if (Array.isArray(child)) for (const item of child) if (isNode(item)) markReturns(item, marks);
  }
}
