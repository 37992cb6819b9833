import type { Language } from "../../src/policy/limits.ts";
import type { Status } from "../../src/policy/outcome.ts";

/** A program whose answer is known whatever ran before it. */
export interface Program {
  readonly language: Language;
  readonly code: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Endings that are right. */
  readonly status: Status | readonly Status[];
  /** The one right result, when it ends well. */
  readonly result?: unknown;
  readonly stdout?: string;
}

/** Honest work; each also looks for what a run before it could have left behind. */
export const HONEST: readonly Program[] = [
  { language: "python", code: "6 * 7", status: "ok", result: 42, stdout: "" },
  { language: "python", code: "sum(i * i for i in range(10_000))", status: "ok", result: 333_283_335_000 },
  { language: "python", code: "'left' in globals(), __import__('os').listdir('/work') + __import__('os').listdir('/tmp')", status: "ok", result: [false, []] },
  { language: "python", code: "left = 1\nopen('/work/left', 'w').write('x')\nimport builtins\nbuiltins.len = lambda x: 7\nlen([])", status: "ok", result: 7 },
  { language: "python", code: "len([1, 2, 3])", status: "ok", result: 3 },
  { language: "python", code: "print('hello')\n1/0", status: "error", stdout: "hello\n" },
  { language: "python", code: "import pandas as pd\npd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']}).groupby('b').a.sum().to_dict()", status: "ok", result: { x: 4, y: 2 } },
  { language: "python", code: "import numpy as np\nfloat(np.linalg.det(np.eye(5) * 2))", status: "ok", result: 32 },
  { language: "python", code: "import json, re, datetime\njson.loads(json.dumps(re.findall(r'\\d+', '1 22 333')))", status: "ok", result: ["1", "22", "333"] },
  { language: "python", code: "x = bytearray(b'x') * 150_000_000\nx[-1]", status: "ok", result: 120 },
  { language: "python", code: "import time\ntime.sleep(0.05)\n'slept'", status: "ok", result: "slept" },
  { language: "javascript", code: "6 * 7", status: "ok", result: 42, stdout: "" },
  { language: "javascript", code: "Array.from({ length: 1000 }, (_, i) => i * i).reduce((a, b) => a + b)", status: "ok", result: 332_833_500 },
  { language: "javascript", code: "globalThis.left = 1; Array.prototype.map = () => 'broken'; [1].map(String)", status: "ok", result: "broken" },
  { language: "javascript", code: "[typeof left, [1, 2].map((x) => x + 1)]", status: "ok", result: ["undefined", [2, 3]] },
  { language: "javascript", code: "console.log('hello'); null.x", status: "error", stdout: "hello\n" },
  { language: "javascript", code: "const m = new Map([['a', 1]]); await new Promise((done) => setTimeout(done, 20)); m", status: "ok", result: { a: 1 } },
  { language: "javascript", code: "new Uint8Array(5e7).fill(1).length", status: "ok", result: 50_000_000 },
  { language: "javascript", code: "const enum Colour { Red = 3 }\nconst x: number = Colour.Red; x", status: "ok", result: 3 },
];

const SHORT = { timeout_ms: 120 };

/** Code that would take the server down, slow it or fill it, if it could. */
export const HOSTILE: readonly Program[] = [
  { language: "python", code: "while True: pass", args: SHORT, status: "timeout" },
  { language: "python", code: "while True:\n    try:\n        while True: pass\n    except BaseException: pass", args: SHORT, status: "timeout" },
  { language: "python", code: "import re\nre.match('(a+)+$', 'a' * 64 + 'b')", args: SHORT, status: "timeout" },
  { language: "python", code: "import time\ntime.sleep(1e6)", args: SHORT, status: "timeout" },
  { language: "python", code: "while True: print('x' * 10_000)", args: SHORT, status: "timeout" },
  { language: "python", code: "while True: pass", args: { fuel: 5_000_000 }, status: "out_of_fuel" },
  { language: "python", code: "[0] * 10**9", status: "out_of_memory" },
  { language: "python", code: "x = []\nwhile True: x.append(bytearray(10**6))", args: { memory_mb: 128 }, status: "out_of_memory" },
  { language: "python", code: "import os\nos.abort()", status: "error" },
  { language: "python", code: "import signal\nsignal.raise_signal(signal.SIGABRT)", status: "crashed" },
  { language: "python", code: "import os\nos._exit(3)", status: "error" },
  { language: "python", code: "def f(): f()\nf()", status: "error" },
  { language: "python", code: "import json\njson.loads('[' * 10**6)", status: "error" },
  { language: "python", code: "for i in range(10**6): open(f'/work/{i}', 'w').close()", args: { timeout_ms: 500 }, status: ["error", "timeout"] },
  { language: "python", code: "import _host\nm = b'{\"op\":\"report\",\"status\":\"ok\",\"result\":1}\\n'\nwhile True: _host.call(m)", args: SHORT, status: "timeout" },
  { language: "python", code: "class A:\n    def __repr__(self):\n        while True: pass\nA()", args: SHORT, status: "timeout" },
  { language: "python", code: "import gc\ngc.unfreeze()\nimport sys\nsys.modules.clear()\n1/0", status: "error" },
  { language: "javascript", code: "for (;;);", args: SHORT, status: "timeout" },
  { language: "javascript", code: "for (;;) try { for (;;); } catch {}", args: SHORT, status: "timeout" },
  { language: "javascript", code: "/(a+)+$/.test('a'.repeat(64) + 'b')", args: SHORT, status: "timeout" },
  { language: "javascript", code: "for (;;) console.log('x'.repeat(10000))", args: SHORT, status: "timeout" },
  { language: "javascript", code: "const a = []; for (;;) a.push(new Uint8Array(1e6))", status: "out_of_memory" },
  { language: "javascript", code: "const f = () => f() + 1; f()", status: "error" },
  { language: "javascript", code: "await new Promise(() => {})", status: "error" },
  { language: "javascript", code: "const a = []; a[4294967290] = 1; a", status: "ok" },
  { language: "javascript", code: "const f = () => queueMicrotask(f); f()", args: SHORT, status: "timeout" },
  { language: "javascript", code: "for (const k of Reflect.ownKeys(globalThis)) try { delete globalThis[k] } catch {}\n1", status: ["ok", "error"] },
  { language: "javascript", code: "process.exit(3)", status: "error" },
];
