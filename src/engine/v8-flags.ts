import { setFlagsFromString } from "node:v8";
import { GARBAGE_FLAG } from "./garbage.ts";

/**
 * For a process that holds guests alone: V8's own limits for guests that recurse, in a promise's stack too; no validation of
 * what the build has validated until a function is called, which is a third of the time for 100 MB; and the functions that
 * the build has found each turn to call compiled beside other work, where the first turn would wait for one after the other.
 */
const GUEST_FLAGS = [
  "--stack-size=3900",
  "--wasm-stack-switching-stack-size=8192",
  "--wasm-lazy-validation",
  "--experimental-wasm-compilation-hints",
  GARBAGE_FLAG,
];

/**
 * How much of a function V8 runs before it optimizes it, in bytes or so. At `first` little: a turn is short, and what one
 * runs most run. `later` V8's own measure, since while a large function is being optimized each hint costs.
 */
const BUDGETS = { first: 5_000, later: 13_000_000 } as const;

/** V8 takes compiled code only under the flags that it was made under, so there is some for each. */
export type Budget = keyof typeof BUDGETS;
export const BUDGET_NAMES: readonly Budget[] = ["first", "later"];

let current: Budget = "later";

/** Sets them for this process and all its threads. As switches of its command line they would hold for what the build made of this program too. */
export function setGuestFlags(): void {
  for (const flag of GUEST_FLAGS) setFlagsFromString(flag);
}

/** The budget of the functions of modules that are compiled from now on, and of those that were optimized. */
export function setBudget(budget: Budget): void {
  current = budget;
  setFlagsFromString(`--wasm-tiering-budget=${BUDGETS[budget]}`);
}

export function currentBudget(): Budget {
  return current;
}
