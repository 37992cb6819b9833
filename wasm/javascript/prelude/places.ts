/** Where the code last threw a value that is no error, of which the engine keeps no stack. */
export interface Throw {
  readonly value: unknown;
  /** The unit's `lineOffset`, and the offset in its code as it was given. */
  readonly unit: number;
  readonly offset: number;
}

let last: Throw | undefined;

/** Remembers where a value is thrown, and gives it back: what `throw` is made to call. */
export function thrown(value: unknown, unit: number, offset: number): unknown {
  last = value instanceof Error ? undefined : { value, unit, offset };
  return value;
}

/** Where the code threw that value, when it was the last that it threw. */
export function lastThrow(value: unknown): Throw | undefined {
  return last !== undefined && Object.is(last.value, value) ? last : undefined;
}

/** Forgets what was thrown: it may hold much. */
export function forgetThrow(): void {
  last = undefined;
}
