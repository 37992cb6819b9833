import type { Node } from "acorn";

/** True for a node of a parsed program. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
