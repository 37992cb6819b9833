import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { z } from "zod";
import type { Outcome } from "../../src/policy/outcome.ts";
import { connect } from "./driver.ts";

const caseSchema = z.object({
  id: z.string(),
  lang: z.enum(["python", "javascript"]),
  code: z.string(),
  steps: z.array(z.string()).optional(),
  expect: z.strictObject({
    result: z.unknown().optional(),
    stdout: z.string().optional(),
    stderr_contains: z.string().optional(),
    error_type: z.string().optional(),
    notes: z.string().optional(),
  }),
  why: z.string(),
});
type Case = z.infer<typeof caseSchema>;

const CASES: readonly Case[] = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => caseSchema.parse(JSON.parse(line)));

/** Types that a case's notes call right as well. */
const ALSO_RIGHT: Readonly<Record<string, readonly string[]>> = {
  "py-etc-passwd": ["PermissionError"],
  "py-traversal": ["PermissionError"],
  "py-long-bigint-op": ["MemoryError"],
  "py-one-huge-alloc": ["OverflowError"],
  "py-subprocess": ["NotImplementedError", "FileNotFoundError", "PermissionError", "RuntimeError"],
  "py-file-bomb": ["FileTooLargeError"],
};

/** Cases whose notes call another ending right: what holds here instead. */
const RIGHT_OTHERWISE: Readonly<Record<string, (outcome: Outcome) => void>> = {
  // "or never calls toJSON"
  "js-tojson-loop": ({ status, repr }) => assert.deepEqual([status, repr], ["ok", "{ toJSON: [Function: toJSON] }"]),
  // "or it works; never a hang"
  "py-thread": ({ status, stdout }) => assert.deepEqual([status, stdout], ["ok", "x\n"]),
  // "a deliberate, empty shim is tolerable"
  "js-no-node": ({ result }) => assert.deepEqual(result, ["function", "object", "undefined", "undefined"]),
};

/** What a case wants that only its notes say. */
const ALSO_WANTED: Readonly<Record<string, (outcome: Outcome) => void>> = {
  "py-syntax-error-line": ({ error }) => assert.equal(error?.line, 3),
  "py-traceback-lines": ({ error }) => {
    assert.equal(error?.line, 2);
    assert.match(error?.traceback ?? "", /line 4/);
    assert.match(error?.traceback ?? "", /return 1 \/ 0/);
  },
  "py-exit-3": ({ error }) => assert.equal(error?.exit_code, 3),
  "py-os-exit": ({ error }) => assert.equal(error?.exit_code, 7),
  "py-abort": ({ error }) => assert.equal(error?.exit_code, 134),
  "py-big-output": ({ truncated }) => assert.deepEqual(truncated, ["stdout"]),
  "py-dataclass": ({ repr }) => assert.equal(repr, "A(x=1)"),
  "py-np-big-array": ({ result }) => assert.ok(JSON.stringify(result).length < 100_000),
  "py-fork-bomb": ({ error }) => assert.match(error?.type ?? "", /^(AttributeError|OSError)$/),
  "py-net-denied": ({ status }) => assert.equal(status, "error"),
  "py-lone-surrogate": ({ status }) => assert.equal(status, "ok"),
  "py-plain-object": ({ status, result }) => {
    assert.equal(status, "ok");
    assert.match(String(result), /P object/);
  },
  "js-syntax-line": ({ error }) => assert.equal(error?.line, 3),
  "js-stack-lines": ({ error }) => assert.match(error?.traceback ?? "", /:2\b[^]*:4\b/),
  "js-never-settles": ({ usage }) => assert.ok(usage.wall_ms < 1_000, "at once"),
  "js-throw-null": ({ status }) => assert.equal(status, "error"),
  "js-sparse-array-value": ({ result }) => assert.ok(JSON.stringify(result).length < 100_000),
  "js-error-value": ({ status, result, repr }) => {
    assert.equal(status, "ok");
    assert.match(`${JSON.stringify(result)} ${repr ?? ""}`, /RangeError: as value/);
  },
  "js-getter-throws": ({ status, result }) => {
    assert.equal(status, "ok");
    assert.equal(Object(result).ok, 1);
  },
  "py-symlink-escape": ({ error, result }) => assert.ok(error !== undefined || !JSON.stringify(result).includes("passwd")),
  "py-recursion-limit-raised": ({ status, error }) => {
    assert.notEqual(status, "crashed");
    assert.match(error?.type ?? "", /^(RecursionError|MemoryError|RangeError)$/);
  },
  "py-output-flood": ({ status, stdout, truncated }) => {
    assert.equal(status, "timeout");
    assert.deepEqual(truncated, ["stdout"]);
    assert.ok(stdout.startsWith("yyy") && stdout.length < 300_000);
  },
  "py-forgotten-await": ({ result, notes }) => assert.match(`${JSON.stringify(result)} ${String(notes)}`, /^1 |await/),
  // numpy tells a type that is not the default of integers, and a shape that can not be seen.
  "py-np-array": ({ repr }) => assert.equal(repr, "array([[0, 1, 2],\n       [3, 4, 5]])"),
  "py-df": ({ repr }) => assert.equal(repr, "   a    b\n0  1    x\n1  2  NaN"),
  "py-df-date-nat": ({ result }) => assert.deepEqual(result, { columns: ["t"], data: [["2024-01-02"], [null]] }),
  "js-deep-json": ({ status }) => assert.notEqual(status, "crashed"),
  "js-console-circular": ({ stdout }) => assert.match(stdout, /\[Circular \*1\]/),
  "js-lone-surrogate": ({ result }) => assert.ok(String(result).isWellFormed()),
  "js-nested-promise": ({ result }) => assert.notDeepEqual(result, [1, {}]),
};

const server = await connect();
after(() => server[Symbol.asyncDispose]());

for (const one of CASES) {
  test(`${one.id}: ${one.why}`, async () => {
    const sandbox = isKept(one) ? { sandbox: one.id } : {};
    let outcome: Outcome | undefined;
    for (const code of one.steps ?? [one.code]) outcome = await server.run(one.lang, code, { ...argumentsFor(one), ...sandbox });
    if (isKept(one)) await server.call("close_sandbox", { sandbox: one.id });
    assert.ok(outcome);
    const otherwise = RIGHT_OTHERWISE[one.id];
    if (otherwise === undefined) check(one, outcome);
    else otherwise(outcome);
    ALSO_WANTED[one.id]?.(outcome);
    assert.equal((await server.run(one.lang, "6 * 7")).result, 42, "the next call works");
  });
}

/** True when the steps of a case are turns of one sandbox. */
function isKept({ steps, expect }: Case): boolean {
  return steps !== undefined && expect.notes?.includes("WITHOUT a session") !== true;
}

/** Runs that only a limit ends needn't take half a minute. */
function argumentsFor({ expect, id }: Case): Record<string, unknown> {
  // Each of its promises waits for the next, so the language keeps all: a deadline that comes before memory is full.
  if (id === "js-microtask-loop") return { timeout_ms: 200 };
  return expect.error_type === "TimeoutError" || id === "py-output-flood" ? { timeout_ms: 1_500 } : {};
}

function check({ id, expect }: Case, outcome: Outcome): void {
  const told = JSON.stringify({ ...outcome, stdout: outcome.stdout.slice(0, 500) });
  if ("result" in expect) {
    assert.equal(outcome.status, "ok", told);
    assert.deepEqual(outcome.result ?? null, expect.result, told);
  }
  if (expect.stdout !== undefined) assert.equal(outcome.stdout, expect.stdout, told);
  if (expect.error_type !== undefined) {
    assert.ok([expect.error_type, ...(ALSO_RIGHT[id] ?? [])].includes(typeOf(outcome)), told);
  }
  if (expect.stderr_contains !== undefined) {
    const { message = "", traceback = "", line } = outcome.error ?? {};
    const shown = `${outcome.stderr}${message}\n${traceback}\nline ${String(line)}`;
    assert.ok(shown.includes(expect.stderr_contains), told);
  }
}

/** The kind of an ending: limits are statuses here, where the cases name exceptions. */
function typeOf({ status, error }: Outcome): string {
  if (status === "timeout") return "TimeoutError";
  if (status === "out_of_memory") return "MemoryError";
  return error?.type ?? "none";
}
