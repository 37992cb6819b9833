import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Frees what nothing leads to any more, at once: V8's own heap is too small here to give it a reason to,
 * while each memory that a disposed instance leaves behind may be hundreds of megabytes.
 */
export function collectGarbage(): void {
  collect ??= find();
  collect();
}

function find(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  return typeof gc === "function" ? () => void gc() : () => {};
}
