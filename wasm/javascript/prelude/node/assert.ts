import { inspect } from "node-inspect-extracted";
import { setName } from "../names.ts";
import { isDeepEqual } from "./equality.ts";

interface Told {
  readonly message?: unknown;
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly operator?: string;
}

/** node:assert's error. */
export class AssertionError extends Error {
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string | undefined;
  readonly generatedMessage: boolean;

  constructor({ message, actual, expected, operator }: Told) {
    super(message === undefined ? `Expected values to satisfy ${operator}:\n\n${inspect(actual)} and ${inspect(expected)}` : String(message));
    this.name = "AssertionError";
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    this.generatedMessage = message === undefined;
  }
}

setName(AssertionError, "AssertionError");

function demand(holds: boolean, operator: string, words: string, actual: unknown, expected: unknown, message: unknown): void {
  if (holds) return;
  if (message instanceof Error) throw message;
  const generated = `${words}:\n\n${inspect(actual)}\n\nshould ${operator.startsWith("not") ? "not " : ""}equal\n\n${inspect(expected)}`;
  throw new AssertionError({ message: message ?? generated, actual, expected, operator });
}

function ok(value?: unknown, message?: unknown): void {
  if (value) return;
  if (message instanceof Error) throw message;
  throw new AssertionError({ message: message ?? `The expression evaluated to a falsy value:\n\n  assert.ok(${inspect(value)})\n`, actual: value, expected: true, operator: "==" });
}

type Expectation = RegExp | object | ((error: unknown) => unknown) | string | undefined;

function matches(thrown: unknown, expected: Expectation): boolean {
  if (expected === undefined || typeof expected === "string") return true;
  if (expected instanceof RegExp) return expected.test(String(thrown));
  if (typeof expected === "function") {
    if (expected === Error || Error.isPrototypeOf(expected)) return thrown instanceof expected;
    return Reflect.apply(expected, {}, [thrown]) === true;
  }
  return Object.entries(expected).every(([key, wanted]) => {
    const actual: unknown = Reflect.get(Object(thrown), key);
    return wanted instanceof RegExp && typeof actual === "string" ? wanted.test(actual) : isDeepEqual(actual, wanted, true);
  });
}

function judge(threw: boolean, thrown: unknown, expected: Expectation, message: unknown, what: string): void {
  const told = typeof expected === "string" ? expected : message;
  if (!threw) throw new AssertionError({ message: told ?? `Missing expected ${what}.`, actual: undefined, expected, operator: "throws" });
  if (!matches(thrown, expected)) throw told === undefined ? thrown : new AssertionError({ message: told, actual: thrown, expected, operator: "throws" });
}

function makeAssert(strict: boolean): typeof ok {
  // eslint-disable-next-line eqeqeq -- assert.equal is loose
  const same = (a: unknown, b: unknown): boolean => (strict ? Object.is(a, b) : a == b || (a !== a && b !== b));
  const comparisons = {
    equal: (a: unknown, b: unknown, message?: unknown) => demand(same(a, b), "equal", "Expected values to be equal", a, b, message),
    notEqual: (a: unknown, b: unknown, message?: unknown) => demand(!same(a, b), "notEqual", "Expected values not to be equal", a, b, message),
    strictEqual: (a: unknown, b: unknown, message?: unknown) => demand(Object.is(a, b), "strictEqual", "Expected values to be strictly equal", a, b, message),
    notStrictEqual: (a: unknown, b: unknown, message?: unknown) => demand(!Object.is(a, b), "notStrictEqual", "Expected values not to be strictly equal", a, b, message),
    deepEqual: (a: unknown, b: unknown, message?: unknown) => demand(isDeepEqual(a, b, strict), "deepEqual", "Expected values to be deeply equal", a, b, message),
    notDeepEqual: (a: unknown, b: unknown, message?: unknown) => demand(!isDeepEqual(a, b, strict), "notDeepEqual", "Expected values not to be deeply equal", a, b, message),
    deepStrictEqual: (a: unknown, b: unknown, message?: unknown) => demand(isDeepEqual(a, b, true), "deepStrictEqual", "Expected values to be strictly deep-equal", a, b, message),
    notDeepStrictEqual: (a: unknown, b: unknown, message?: unknown) => demand(!isDeepEqual(a, b, true), "notDeepStrictEqual", "Expected values not to be strictly deep-equal", a, b, message),
    match: (text: string, pattern: RegExp, message?: unknown) => demand(pattern.test(text), "match", "The input did not match the regular expression", text, pattern, message),
    doesNotMatch: (text: string, pattern: RegExp, message?: unknown) => demand(!pattern.test(text), "notMatch", "The input was expected to not match the regular expression", text, pattern, message),
  };
  const behaviours = {
    fail(message: unknown = "Failed") {
      throw message instanceof Error ? message : new AssertionError({ message, operator: "fail" });
    },
    ifError(value: unknown) {
      if (value !== null && value !== undefined) throw value instanceof Error ? value : new AssertionError({ message: `ifError got unwanted exception: ${inspect(value)}` });
    },
    throws(run: () => unknown, expected?: Expectation, message?: unknown) {
      let [threw, thrown]: [boolean, unknown] = [false, undefined];
      try {
        run();
      } catch (error) {
        [threw, thrown] = [true, error];
      }
      judge(threw, thrown, expected, message, "exception");
    },
    doesNotThrow: (run: () => unknown) => void run(),
    async rejects(run: Promise<unknown> | (() => Promise<unknown>), expected?: Expectation, message?: unknown) {
      let [threw, thrown]: [boolean, unknown] = [false, undefined];
      try {
        await (typeof run === "function" ? run() : run);
      } catch (error) {
        [threw, thrown] = [true, error];
      }
      judge(threw, thrown, expected, message, "rejection");
    },
    async doesNotReject(run: Promise<unknown> | (() => Promise<unknown>)) {
      await (typeof run === "function" ? run() : run);
    },
  };
  const assert = (value?: unknown, message?: unknown): void => ok(value, message);
  return Object.assign(assert, { ok, AssertionError, ...comparisons, ...behaviours });
}

export const strictAssert = makeAssert(true);
export const looseAssert = Object.assign(makeAssert(false), { strict: strictAssert });
Object.assign(strictAssert, { strict: strictAssert });
