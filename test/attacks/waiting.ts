import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

/** Waiting burns no instructions. */
const idle: Check = ({ usage }) => assert.ok(usage.fuel < 500_000_000, String(usage.fuel));

export const attacks: readonly Attack[] = [
  { title: "sleeps for days", language: "python", code: "import time\ntime.sleep(10**6)", status: "timeout", also: (outcome) => { idle(outcome); assert.equal(outcome.error?.line, 2); } },
  { title: "sleeps again whenever it is woken", language: "python", code: "import time\nwhile True:\n    try: time.sleep(10**6)\n    except BaseException: pass", status: "timeout", also: idle },
  { title: "sleeps in ever so many short naps", language: "python", code: "import time\nwhile True: time.sleep(0.0001)", status: "timeout" },
  { title: "polls for ever", language: "python", code: "import select\nselect.select([], [], [], 10**6)", status: ["timeout", "error"] },
  { title: "waits for an event that nobody sets", language: "python", code: "import threading\nthreading.Event().wait()", status: "error" },
  { title: "waits for a lock that it holds", language: "python", code: "import threading\nl = threading.Lock()\nl.acquire(); l.acquire()", status: "error" },
  { title: "takes from an empty queue", language: "python", code: "import queue\nqueue.Queue().get()", status: "error" },
  { title: "awaits for days", language: "python", code: "import asyncio\nawait asyncio.sleep(10**6)", status: "timeout", also: idle },
  { title: "awaits a future that nobody sets", language: "python", code: "import asyncio\nawait asyncio.get_running_loop().create_future()", status: ["timeout", "error"] },
  { title: "shields its sleep from cancellation", language: "python", code: "import asyncio\nasync def f():\n    while True:\n        try: await asyncio.shield(asyncio.sleep(10**6))\n        except BaseException: pass\nawait f()", status: "timeout" },
  { title: "sleeps less than nothing", language: "python", code: "import time\ntime.sleep(-1)", status: "error" },
  { title: "sleeps longer than a clock counts", language: "python", code: "import time\ntime.sleep(1e300)", status: "error" },
  { title: "waits for days", language: "javascript", code: "await new Promise((done) => setTimeout(done, 1e9))", status: "timeout", also: idle },
  { title: "repeats an interval for ever", language: "javascript", code: "setInterval(() => {}, 1); await new Promise(() => {})", status: "timeout" },
  { title: "sets a timer in each timer", language: "javascript", code: "const f = () => setTimeout(f); f(); 1", status: "timeout" },
  { title: "waits on shared memory", language: "javascript", code: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", status: ["error", "timeout"] },
  { title: "waits on shared memory asynchronously", language: "javascript", code: "await Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value", status: ["error", "timeout"] },
  { title: "sets a million timers", language: "javascript", code: "for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1e9); 1", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
];
