import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Language } from "../../src/policy/limits.ts";
import type { Outcome } from "../../src/policy/outcome.ts";
import { graceMs } from "../../src/sandbox/stop.ts";
import { connect } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const server = await connect(["--timeout-ms=20000"]);
after(() => server[Symbol.asyncDispose]());
for (const language of ["javascript", "python"] as const) await server.run(language, "1");

const WAIT = {
  python: (ms: number) => `import time\ntime.sleep(${ms / 1_000})\n'over'`,
  javascript: (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}));\n'over'`,
} as const;
const LOOP = { python: "while True: pass", javascript: "for (;;);" } as const;

/** What a stop may take beyond the deadline, and the grace that code gets which does not end by itself. */
const SLACK_MS = 100;

/**
 * Runs code that its deadline stops, in time: a machine that is busy elsewhere can make any run late,
 * but hardly twice in a row.
 */
async function runLate(language: Language, code: string, timeout_ms: number, grace = 0): Promise<Outcome> {
  const first = await server.run(language, code, { timeout_ms });
  const latest = timeout_ms + grace + SLACK_MS;
  const outcome = first.usage.wall_ms > latest ? await server.run(language, code, { timeout_ms }) : first;
  const { status, usage } = outcome;
  assert.equal(status, "timeout", JSON.stringify(outcome.error));
  assert.ok(usage.wall_ms >= timeout_ms - 1 && usage.wall_ms <= latest, `${usage.wall_ms} ms at a deadline of ${timeout_ms}`);
  return outcome;
}

for (const language of ["python", "javascript"] as const) {
  test(`${language}: what ends before its deadline ends well, and what does not is stopped at it`, async () => {
    const before = await server.run(language, WAIT[language](200), { timeout_ms: 1_000 });
    assert.deepEqual([before.status, before.result], ["ok", "over"]);
    const late = await runLate(language, WAIT[language](1_000), 200);
    assert.equal(late.error?.message, "Stopped after 200 ms (timeout_ms). Make the work smaller, or split it over several calls.");
  });

  test(`${language}: the shortest deadline stops a loop too`, async () => {
    assert.equal((await server.run(language, LOOP[language], { timeout_ms: 1 })).status, "timeout");
    assert.equal((await server.run(language, "6 * 7")).result, 42);
  });

  test(`${language}: values that are no deadline are refused`, async () => {
    const refuse = (timeout_ms: unknown, words: string): Promise<void> => assertRefused(server, `execute_${language}`, { code: "1", timeout_ms }, words);
    await refuse(0, "timeout_ms must be at least 1 ms, and was 0.");
    await refuse(-5, "timeout_ms must be at least 1 ms, and was -5.");
    await refuse(20_001, "timeout_ms must be at most 20,000 ms on this server, and was 20,001.");
    await refuse(0.5, "timeout_ms must be a whole number, and was the number 0.5.");
    await refuse("100", 'timeout_ms must be a whole number, and was the string "100".');
    await refuse(null, "timeout_ms must be a whole number, and was null.");
  });

  test(`${language}: of a deadline and fuel that are both passed, the one that came first is told`, async () => {
    const starved = await server.run(language, LOOP[language], { timeout_ms: 5_000, fuel: 20_000_000 });
    assert.equal(starved.status, "out_of_fuel");
    const late = await server.run(language, LOOP[language], { timeout_ms: 100, fuel: 100_000_000_000 });
    assert.equal(late.status, "timeout");
  });
}

test("code that goes on after its interrupt is stopped when the grace is over, a quarter of the deadline", async () => {
  const python = await runLate("python", "print('a')\ntry:\n    while True: pass\nfinally:\n    print('b', flush=True)\n    while True: pass", 400, graceMs(400));
  assert.equal(python.stdout, "a\nb\n");
  const javascript = await runLate("javascript", "console.log('a'); try { for (;;); } finally { console.log('b'); for (;;); }", 400, graceMs(400));
  assert.equal(javascript.stdout, "a\nb\n");
});

test("code that answers within the grace has still passed its deadline", async () => {
  const { status, result } = await server.run("python", "try:\n    while True: pass\nexcept KeyboardInterrupt: pass\n5", { timeout_ms: 200 });
  assert.deepEqual([status, result], ["timeout", undefined]);
});

const SIDE_DOORS = [
  ["sleeps in naps", "import time\nwhile True: time.sleep(0.001)"],
  ["reads files", "open('/tmp/x', 'wb').write(bytes(10**7))\nwhile True: open('/tmp/x', 'rb').read()"],
  ["looks at the folder of its library", "import os\nwhile True: os.stat('/usr/local/lib/python315.zip')"],
  ["resizes a file", "f = open('/tmp/x', 'wb', 0)\nwhile True: f.truncate(10**7); f.truncate(0)"],
  ["asks for random bytes", "import os\nwhile True: os.urandom(10**7)"],
  ["prints", "import os\nb = b'x' * 10**7\nwhile True: os.write(1, b)"],
  ["asks for the time", "import time\nwhile True: time.time()"],
  ["knocks at the host's door", "import _host\nb = b'{\"op\":\"x\"}\\n' + bytes(10**7)\nwhile True: _host.call(b)"],
  ["copies memory", "b = bytes(10**8)\nwhile True: bytearray(b)"],
  ["imports", "import importlib, colorsys\nwhile True: importlib.reload(colorsys)"],
] as const;
for (const [title, code] of SIDE_DOORS) {
  test(`time in the host counts: code that only ${title} is stopped in time`, async () => {
    await runLate("python", code, 300, graceMs(300));
  });
}

const STUCK = [
  ["catches its interrupt", "x = 1\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass", 4],
  ["loops in finally", "def f():\n    try:\n        while True: pass\n    finally:\n        while True: pass\nf()", 5],
  ["is in one long call of a function in C", "import itertools\n\n'x' in itertools.count()", 3],
  ["sums without an end", "print(1)\nsum(range(10**12))", 2],
  ["ignores its interrupt", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", 3],
] as const;
for (const [title, code, line] of STUCK) {
  test(`the place is told of code that ${title}`, async () => {
    const { error, stderr } = await runLate("python", code, 300, graceMs(300));
    assert.deepEqual([error?.line, stderr], [line, ""]);
    assert.match(error?.traceback ?? "", new RegExp(`File "<code>", line ${line}, in `));
    const starved = await server.run("python", code, { fuel: 50_000_000 });
    assert.deepEqual([starved.status, starved.error?.line], ["out_of_fuel", line]);
  });
}

const STUCK_JAVASCRIPT = [
  ["catches its interrupt", "let n = 0;\nfor (;;) {\n  try { for (;;) n += 1 } catch {}\n}", [2, 3]],
  ["loops in finally", "let n = 0;\ntry { for (;;); }\nfinally {\n  for (;;) Math.abs(n);\n}", [4]],
  ["works a long time in each call of the engine's own", "const a = new Float64Array(1e7);\n\nfor (;;) a.fill(1.5).reverse();", [3]],
  ["copies long texts", "const s = 'ab';\n\nfor (;;) s.repeat(4e7).indexOf('zz');", [3]],
  ["multiplies a number", "const x = 3n ** 100_000n;\nlet y;\nfor (;;) y = x * x;", [3]],
  ["does not come back from a regular expression", "const s = 'a'.repeat(40) + 'b';\n/^(a+)+$/.test(s)", [2]],
  ["catches its interrupts deep down", "let m = 0;\nconst f = (n) => {\n  if (n > 0) f(n - 1);\n  for (;;) try { for (;;) Math.abs(m); } catch {}\n};\nf(2_000)", [4]],
  ["has taken the globals away", "globalThis.Error = null; Reflect.set = null; JSON.stringify = null; Array.prototype.map = null;\nfor (;;) { try { for (;;); } catch {} }", [2]],
] as const;
for (const [title, code, lines] of STUCK_JAVASCRIPT) {
  test(`the place is told of JavaScript that ${title}`, async () => {
    for (const outcome of [await runLate("javascript", code, 800, graceMs(800)), await server.run("javascript", code, { fuel: 50_000_000 })]) {
      assert.ok(outcome.error?.line !== undefined && [...lines].some((line) => line === outcome.error?.line), `${outcome.status}: ${JSON.stringify(outcome.error)}`);
      assert.match(outcome.error?.traceback ?? "", new RegExp(`^<code>:${outcome.error.line}\n`));
    }
  });
}

const BUSY = [
  ["reads in a loop that swallows its interrupt", "while True:\n    try:\n        open('/usr/local/lib/python315.zip', 'rb').read(5_000_000)\n    except BaseException: pass", 3],
  ["asks for random bytes in one that does", "import os\nwhile True:\n    try: os.urandom(16_000_000)\n    except BaseException: pass", 3],
  ["inflates a bomb", "import zlib\nb = zlib.compress(bytes(10**6))\nwhile True:\n    try:\n        for _ in range(999): zlib.decompress(b)\n    except BaseException: pass", 5],
] as const;
for (const [title, code, line] of BUSY) {
  test(`the place is told of code that ${title}, where C code has let go of the interpreter`, async () => {
    const { error, stderr } = await runLate("python", code, 600, graceMs(600));
    assert.deepEqual([error?.line, stderr], [line, ""]);
  });
}

test("code that is ended while its interrupt is being told has the place where the interrupt met it", async () => {
  const slow = "import traceback, functools, itertools, operator\ntraceback.StackSummary.from_list = staticmethod(functools.partial(operator.contains, itertools.count()))\nwhile True: pass";
  const { error, stderr } = await runLate("python", slow, 300, graceMs(300));
  assert.deepEqual([error?.line, stderr], [3, ""]);
});
