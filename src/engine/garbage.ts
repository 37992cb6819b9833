import { runInNewContext } from "node:vm";

/** The switch of V8 that `collectGarbage` needs; a thread may not load what sets it, so its process does. */
export const GARBAGE_FLAG = "--expose-gc";

let collect: (() => void) | undefined;

/**
 * Frees what nothing leads to any more, at once: V8's own heap is too small here to give it a reason to,
 * while each memory that a disposed instance leaves behind may be hundreds of megabytes.
 * Does nothing where the process has not set `GARBAGE_FLAG`.
 */
export function collectGarbage(): void {
  collect ??= find();
  collect();
}

function find(): () => void {
  const gc: unknown = runInNewContext("typeof gc === 'function' ? gc : undefined");
  return typeof gc === "function" ? () => void gc() : () => {};
}
