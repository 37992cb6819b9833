import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  {
    title: "loops in finally",
    language: "python",
    code: "try:\n    while True: pass\nfinally:\n    while True: pass",
    status: "timeout",
  },
  {
    title: "leaves finally by continue",
    language: "python",
    code: "while True:\n    try:\n        while True: pass\n    finally:\n        continue",
    status: "timeout",
  },
  {
    title: "loops in the finally of a hundred frames",
    language: "python",
    code: "def f(n):\n    try:\n        f(n - 1) if n else exec('while True: pass')\n    finally:\n        for _ in range(10**9): pass\nf(100)",
    status: "timeout",
  },
  {
    title: "awaits for ever in the finally of a task",
    language: "python",
    code: "import asyncio\nasync def f():\n    try:\n        await asyncio.sleep(1000)\n    finally:\n        while True:\n            try: await asyncio.sleep(1000)\n            except BaseException: pass\nasyncio.run(f())",
    status: "timeout",
  },
  { title: "loops in finally", language: "javascript", code: "try { for (;;); } finally { for (;;); }", status: "timeout" },
  { title: "leaves finally by continue", language: "javascript", code: "for (;;) try { for (;;); } finally { continue }", status: "timeout" },
  {
    title: "loops in the finally of an awaited promise",
    language: "javascript",
    code: "await Promise.resolve().then(() => { for (;;); }).finally(() => { for (;;); })",
    status: "timeout",
  },
];
