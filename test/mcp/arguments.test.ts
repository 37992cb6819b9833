import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "../../src/policy/limits.ts";
import { fakeSandboxes } from "./fake-sandboxes.ts";
import { openSession, settings, textOf } from "./session.ts";

const KNOWN = "Known arguments: code, sandbox, timeout_ms, memory_mb, fuel, files.";

const REFUSED: readonly (readonly [title: string, args: unknown, message: string])[] = [
  ["no arguments", undefined, "code is missing: Python to run; end with an expression to get its value back."],
  ["code that is a number", { code: 1 }, "code must be a string, and was the number 1."],
  ["code that is null", { code: null }, "code must be a string, and was null."],
  ["code that is an array", { code: ["1"] }, "code must be a string, and was an array."],
  ["empty code", { code: "" }, "code is empty. Pass the Python to run."],
  ["code of blanks", { code: " \n\t" }, "code is empty. Pass the Python to run."],
  ["an unknown argument", { code: "1", script: "2" }, `Unknown argument "script". ${KNOWN}`],
  ["two unknown arguments", { code: "1", a: 1, b: 2 }, `Unknown arguments "a", "b". ${KNOWN}`],
  ["a text for a number", { code: "1", timeout_ms: "5000" }, 'timeout_ms must be a whole number, and was the string "5000".'],
  ["a fraction", { code: "1", fuel: 1_000_000.5 }, "fuel must be a whole number, and was the number 1000000.5."],
  ["too small a deadline", { code: "1", timeout_ms: 0 }, "timeout_ms must be at least 1 ms, and was 0."],
  ["too long a deadline", { code: "1", timeout_ms: 30_001 }, "timeout_ms must be at most 30,000 ms on this server, and was 30,001."],
  ["too much memory", { code: "1", memory_mb: 513 }, "memory_mb must be at most 512 MiB on this server, and was 513."],
  ["too little memory", { code: "1", memory_mb: 63 }, "memory_mb must be at least 64 MiB, and was 63."],
  [
    "more fuel than any number holds exactly",
    { code: "1", fuel: 1e20 },
    `fuel must be at most ${LIMITS.fuel.default.toLocaleString("en-US")} instructions on this server, and was 100,000,000,000,000,000,000.`,
  ],
  [
    "a lone surrogate",
    { code: "x = 1\ny = '\ud83d'" },
    "code holds a lone surrogate (U+D83D) at line 2, column 6, so it is not valid Unicode. Send the whole character, or write it as an escape.",
  ],
  [
    "two faults at once",
    { timeout_ms: -1 },
    "code is missing: Python to run; end with an expression to get its value back. timeout_ms must be at least 1 ms, and was -1.",
  ],
];

for (const [title, args, message] of REFUSED) {
  test(`${title} is refused in words, and nothing runs`, async () => {
    const sandboxes = fakeSandboxes();
    const session = await openSession({ sandboxes });
    const answer = await session.call("execute_python", args);
    assert.equal(textOf(answer), message);
    assert.equal(answer.isError, true);
    assert.equal(sandboxes.requests.length, 0);
    await session.close();
  });
}

test("each limit is taken at its minimum and at its maximum", async () => {
  const sandboxes = fakeSandboxes();
  const session = await openSession({ sandboxes });
  await session.call("execute_python", { code: "1", timeout_ms: 1, memory_mb: 64, fuel: 1_000_000 });
  await session.call("execute_javascript", { code: "1", timeout_ms: 30_000, memory_mb: 128, fuel: LIMITS.fuel.default });
  assert.deepEqual(sandboxes.requests, [
    { language: "python", code: "1", timeoutMs: 1, fuel: 1_000_000, memoryMb: 64, files: [] },
    { language: "javascript", code: "1", timeoutMs: 30_000, fuel: LIMITS.fuel.default, memoryMb: 128, files: [] },
  ]);
  await session.close();
});

test("limits that are left out are the server's own", async () => {
  const sandboxes = fakeSandboxes();
  const limits = { ...settings.limits, timeout: 1_000, pythonMemory: 100, fuel: 5_000_000 };
  const session = await openSession({ sandboxes, settings: { limits } });
  await session.call("execute_python", { code: "1" });
  assert.deepEqual(sandboxes.requests, [
    { language: "python", code: "1", timeoutMs: 1_000, fuel: 5_000_000, memoryMb: 100, files: [] },
  ]);
  await session.close();
});

test("code is bounded in bytes of UTF-8: at the limit it runs, one over it is refused with both numbers", async () => {
  const sandboxes = fakeSandboxes();
  const session = await openSession({ sandboxes });
  const atLimit = "é".repeat(524_288);
  assert.equal((await session.call("execute_python", { code: atLimit })).isError, undefined);
  const over = await session.call("execute_python", { code: `${atLimit}x` });
  assert.equal(
    textOf(over),
    "code is 1,048,577 bytes, and at most 1,048,576 are taken. Build large data in the code, or split the work.",
  );
  assert.deepEqual(sandboxes.requests.map(({ code }) => code.length), [524_288]);
  await session.close();
});

test("code of 50 MB is refused with its number, and the next call runs", async () => {
  const session = await openSession();
  const huge = await session.call("execute_python", { code: "\n".repeat(50_000_000) + "1" });
  assert.match(textOf(huge), /^code is 50,000,001 bytes, and at most 1,048,576 are taken\./);
  assert.equal((await session.call("execute_python", { code: "1" })).isError, undefined);
  await session.close();
});
