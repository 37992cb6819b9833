import type { Language } from "../../src/policy/limits.ts";
import type { Outcome, Status } from "../../src/policy/outcome.ts";

/** Asserts on an outcome. */
export type Check = (outcome: Outcome) => void;

/** Code that tries to get past a limit, and the endings that show that it did not. */
export interface Attack {
  /** What the code does, as the words after "code that". */
  readonly title: string;
  readonly language: Language;
  readonly code: string;
  /** As short as the attack allows; `TIMEOUT_MS` when left out. */
  readonly timeoutMs?: number;
  readonly status: Status | readonly Status[];
  /** What else must hold of the outcome. */
  readonly also?: Check;
}

/** Long enough to be under way, on a slow machine too. */
export const TIMEOUT_MS = 250;
