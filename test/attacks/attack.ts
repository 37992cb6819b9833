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
  /** As short as the attack allows, when a timeout may be its end; `TIMEOUT_MS` when left out. */
  readonly timeoutMs?: number;
  readonly status: Status | readonly Status[];
  /** What else must hold of the outcome. */
  readonly also?: Check;
}

/** Long enough to be under way, on a slow machine too. */
const TIMEOUT_MS = 250;
/** For what ends by itself, and is not to be cut off on a slow machine. */
const ENOUGH_MS = 20_000;

/** The deadline of an attack. */
export function deadlineOf({ status, timeoutMs = TIMEOUT_MS }: Attack): number {
  return [status].flat().includes("timeout") ? timeoutMs : ENOUGH_MS;
}
