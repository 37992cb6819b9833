import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Outcome, Status } from "../../src/policy/outcome.ts";
import { connect } from "./driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

interface Ending {
  readonly title: string;
  readonly language: "python" | "javascript";
  readonly code: string;
  readonly args?: Record<string, unknown>;
  readonly status: Status;
  readonly also?: (outcome: Outcome) => void;
}

const short = { timeout_ms: 1_000 };
const failsWith =
  (type: RegExp, line?: number) =>
  ({ error }: Outcome): void => {
    assert.match(error?.type ?? "", type);
    if (line !== undefined) assert.equal(error?.line, line);
  };

const ENDINGS: readonly Ending[] = [
  {
    title: "an endless loop",
    language: "python",
    code: "print('begun')\nwhile True: pass",
    args: short,
    status: "timeout",
    also: ({ stdout, error, usage }) => {
      assert.equal(stdout, "begun\n", "what was printed is kept");
      assert.equal(error?.line, 2);
      assert.ok(usage.wall_ms >= 1_000 && usage.wall_ms < 1_000 + 250 + 500, String(usage.wall_ms));
    },
  },
  { title: "a list of a billion", language: "python", code: "[0] * 10**9", status: "out_of_memory", also: failsWith(/^MemoryError$/, 1) },
  {
    title: "a list that grows for ever",
    language: "python",
    code: "l = []\nwhile True: l.append(len(l))",
    args: { memory_mb: 96 },
    status: "out_of_memory",
  },
  { title: "a division by zero", language: "python", code: "x = 1\nx/0", status: "error", also: failsWith(/^ZeroDivisionError$/, 2) },
  { title: "a syntax error", language: "python", code: "a = 1\nb = = 2", status: "error", also: failsWith(/^SyntaxError$/, 2) },
  {
    title: "an exit",
    language: "python",
    code: "raise SystemExit(3)",
    status: "error",
    also: ({ error }) => assert.deepEqual([error?.type, error?.exit_code], ["SystemExit", 3]),
  },
  { title: "deep recursion", language: "python", code: "def f(n): return f(n + 1)\nf(0)", status: "error", also: failsWith(/^RecursionError$/) },
  { title: "a file of the host", language: "python", code: "open('/etc/passwd')", status: "error", also: failsWith(/^(FileNotFound|Permission)Error$/) },
  {
    title: "a connection",
    language: "python",
    code: 'import socket; socket.create_connection(("127.0.0.1", 80))',
    status: "error",
  },
  {
    title: "a list of the root folder",
    language: "python",
    code: "import os\n[name for name in os.listdir('/') if name in ('home', 'root', 'proc', 'sys', 'boot', 'var')]",
    status: "ok",
    also: ({ result }) => assert.deepEqual(result, []),
  },
  {
    title: "the environment",
    language: "python",
    code: "import os\n[name for name in os.environ if name in ('USER', 'HOSTNAME', 'SHELL', 'NODE_OPTIONS', 'LOGNAME', 'OLDPWD')]",
    status: "ok",
    also: ({ result }) => assert.deepEqual(result, []),
  },
  {
    title: "fuel that is used up",
    language: "python",
    code: "print('begun')\nsum(range(10**9))",
    args: { fuel: 50_000_000 },
    status: "out_of_fuel",
    also: ({ stdout, usage }) => {
      assert.equal(stdout, "begun\n");
      assert.ok(usage.fuel <= 50_000_000, String(usage.fuel));
    },
  },
  { title: "an endless loop", language: "javascript", code: "for (;;);", args: short, status: "timeout" },
  { title: "an array that grows for ever", language: "javascript", code: "const a = [];\nfor (;;) a.push(a.length, {})", status: "out_of_memory" },
  { title: "a thrown error", language: "javascript", code: "const x = null;\nx.y", status: "error", also: failsWith(/^TypeError$/, 2) },
  { title: "a syntax error", language: "javascript", code: "const a = 1;\nconst b = ;", status: "error", also: failsWith(/^SyntaxError$/, 2) },
  { title: "deep recursion", language: "javascript", code: "const f = (n) => f(n + 1) + 1;\nf(0)", status: "error", also: failsWith(/^(RangeError|InternalError)$/) },
  { title: "fuel that is used up", language: "javascript", code: "for (;;);", args: { fuel: 10_000_000 }, status: "out_of_fuel" },
];

for (const { title, language, code, args, status, also } of ENDINGS) {
  test(`${language}: ${title} ends as ${status}, and the next call works`, async () => {
    const outcome = await server.run(language, code, args);
    assert.equal(outcome.status, status, JSON.stringify(outcome.error));
    also?.(outcome);
    assert.equal((await server.run(language, "6 * 7")).result, 42);
  });
}

test("a limit is told how far it can be raised", async () => {
  const { text } = await server.call("execute_python", { code: "while True: pass", timeout_ms: 300 });
  assert.match(text, /TimeoutError: Stopped after 300 ms \(timeout_ms\)\./);
  assert.match(text, /note: timeout_ms can be raised to at most 30,000 on this server\./);
});

test("an exit with code 0 is no error, in both languages, and what was printed is kept", async () => {
  for (const [language, code] of [["javascript", "console.log('out'); process.exit(0)"], ["python", "import os\nprint('out'); os._exit(0)"], ["python", "print('out'); quit()"]] as const) {
    const outcome = await server.run(language, code);
    assert.deepEqual([outcome.status, outcome.stdout, outcome.notes], ["ok", "out\n", ["The code ended the run itself, with exit code 0."]], code);
  }
});
