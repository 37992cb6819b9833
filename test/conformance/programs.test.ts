import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { after, describe, test } from "node:test";
import { outcomeSchema, type Outcome } from "../../src/policy/outcome.ts";
import { connect } from "../e2e/driver.ts";
import { type Job, readJobs } from "./program.ts";

const JOBS = readJobs(new URL("programs/", import.meta.url));
const ANSWERS: number[] = [];

// Of one answer that costs seconds to import, the machine's own load may make many.
const server = await connect(["--timeout-ms=120000"]);
after(() => server[Symbol.asyncDispose]());

describe("programs as models write them", { concurrency: availableParallelism() }, () => {
  for (const job of JOBS) {
    for (const { language, code } of job.programs) {
      test(`${job.title} (${language})`, async () => {
        const { structured, text, images } = await server.call(`execute_${language}`, { code, files: job.files });
        ANSWERS.push(text.length);
        const outcome = outcomeSchema.parse(structured);
        check(job, outcome, text);
        assert.equal(images.length, job.wants.pictures, text);
      });
    }
  }
});

test("there are programs enough, and an answer costs its reader no more than a plain notebook's", (context) => {
  const mean = ANSWERS.reduce((sum, length) => sum + length, 0) / 4 / ANSWERS.length;
  context.diagnostic(`${ANSWERS.length} programs of ${JOBS.length} jobs; an answer's text has ${mean.toFixed(1)} tokens (characters ÷ 4) in the mean`);
  assert.ok(ANSWERS.length >= 150, String(ANSWERS.length));
  // What a plain notebook takes for the same programs, as docs/tokens.md tells.
  assert.ok(mean <= 17.9, String(mean));
});

function check(job: Job, outcome: Outcome, text: string): void {
  assert.equal(outcome.status, job.error ? "error" : "ok", text);
  if ("result" in job) assertLike(outcome.result ?? null, job.result, text);
  if (job.stdout !== undefined) assert.equal(outcome.stdout, job.stdout);
  if (job.error) {
    assert.equal(outcome.error?.type, job.error.type, text);
    assert.ok(outcome.error?.message.includes(job.error.message), text);
  }
  assert.equal(outcome.stderr, "", text);
  assert.deepEqual((outcome.files ?? []).map(({ path }) => path).sort(), [...job.wants.files].sort(), text);
}

/** Equal but for the last digits of numbers, which differ between libraries of mathematics. */
function assertLike(actual: unknown, expected: unknown, told: string): void {
  if (typeof actual === "number" && typeof expected === "number") {
    assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}: ${told}`);
  } else if (Array.isArray(actual) && Array.isArray(expected)) {
    assert.equal(actual.length, expected.length, told);
    for (const [index, item] of actual.entries()) assertLike(item, expected[index], told);
  } else if (isObject(actual) && isObject(expected)) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), told);
    for (const [key, item] of Object.entries(actual)) assertLike(item, expected[key], told);
  } else {
    assert.deepEqual(actual, expected, told);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
