import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../e2e/driver.ts";

const LIMIT = 1_024;
const server = await connect([`--output-bytes=${LIMIT}`]);
after(() => server[Symbol.asyncDispose]());

const PRINT = {
  python: (bytes: number) => `print('x' * ${bytes - 1})`,
  javascript: (bytes: number) => `console.log('x'.repeat(${bytes - 1}))`,
} as const;

for (const language of ["python", "javascript"] as const) {
  test(`${language}: ${LIMIT} bytes are kept whole, and of one more the middle is cut`, async () => {
    const whole = await server.run(language, PRINT[language](LIMIT));
    assert.deepEqual([whole.stdout.length, whole.truncated], [LIMIT, undefined]);
    const cut = await server.run(language, PRINT[language](LIMIT + 1));
    assert.deepEqual(cut.truncated, ["stdout"]);
    assert.match(cut.stdout, /^x{512}\n… \[1 bytes cut\] …\nx{511}\n$/);
  });
}

test("each stream has the limit to itself", async () => {
  const { stdout, stderr, truncated } = await server.run("python", "import sys\nprint('x' * 1000)\nprint('y' * 5000, file=sys.stderr)");
  assert.equal(stdout.length, 1_001);
  assert.match(stderr, /^y{512}\n… \[3,977 bytes cut\] …\ny{511}\n$/);
  assert.deepEqual(truncated, ["stderr"]);
});

test("the cut falls between characters", async () => {
  const { stdout } = await server.run("python", "print('é€😀' * 1000)");
  assert.ok(stdout.isWellFormed() && !stdout.includes("\uFFFD"), stdout);
  assert.match(stdout, /^(é€😀)+[é€]*\n… \[[\d,]+ bytes cut\] …\n[€😀]*(é€😀)+\n$/u);
});

const ENDINGS = [
  ["timeout", "while True: pass", { timeout_ms: 1_000 }],
  ["timeout", "while True:\n    try:\n        while True: pass\n    except BaseException: pass", { timeout_ms: 1_000 }],
  ["out_of_fuel", "while True: pass", { fuel: 100_000_000 }],
  ["out_of_memory", "bytearray(2**30)", {}],
  ["crashed", "import signal\nsignal.raise_signal(signal.SIGABRT)", {}],
  ["error", "import os\nos._exit(3)", {}],
  ["error", "1/0", {}],
] as const;
for (const [status, code, args] of ENDINGS) {
  test(`head and tail are kept when a run ends as ${status}: ${JSON.stringify(code.slice(0, 30))}`, async () => {
    const outcome = await server.run("python", `for i in range(1000): print(f'line {i}', flush=True)\n${code}`, args);
    assert.equal(outcome.status, status);
    assert.match(outcome.stdout, /^line 0\nline 1\n[^]*\n… \[[\d,]+ bytes cut\] …\n[^]*line 999\n$/);
  });
}

test("head and tail are kept when a run is killed", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const call = server.call(
    "execute_python",
    { code: "for i in range(1000): print(f'line {i}', flush=True)\nwhile True: pass", timeout_ms: 20_000 },
    { onProgress: ({ message = "" }) => resolve(/^Execution (\w+):/.exec(message)?.[1] ?? "") },
  );
  const execution_id = await promise;
  await sleep(500);
  await server.call("kill_execution", { execution_id });
  const { structured } = await call;
  assert.equal(Object(structured).status, "killed");
  assert.match(Object(structured).stdout, /^line 0\n[^]*bytes cut[^]*line 999\n$/);
});
