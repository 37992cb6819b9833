import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "awaits a promise that never settles", language: "javascript", code: "await new Promise(() => {})", status: "error" },
  { title: "awaits in a loop", language: "javascript", code: "for (;;) await null", status: "timeout" },
  { title: "floods the microtasks", language: "javascript", code: "const f = () => queueMicrotask(f); f(); 1", status: "timeout" },
  { title: "floods the microtasks twice over", language: "javascript", code: "const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); 1", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "returns a promise of a promise for ever", language: "javascript", code: "const f = () => Promise.resolve().then(f); await f()", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "has a thenable that never answers", language: "javascript", code: "await { then() {} }", status: "error" },
  { title: "has a thenable that answers with itself", language: "javascript", code: "const t = { then(ok) { ok(t) } }; await t", status: ["timeout", "out_of_memory"] },
  { title: "has a thenable that loops", language: "javascript", code: "await { then() { for (;;); } }", status: "timeout" },
  { title: "has a getter for then that loops", language: "javascript", code: "await { get then() { for (;;); } }", status: "timeout" },
  { title: "ends in a value with a getter for then that loops", language: "javascript", code: "({ get then() { for (;;); } })", status: "timeout" },
  { title: "rejects a million promises", language: "javascript", code: "for (let i = 0; i < 1e6; i++) Promise.reject(i); 1", timeoutMs: 1_000, status: ["error", "timeout", "out_of_memory"] },
  { title: "awaits all of a million promises that never settle", language: "javascript", code: "await Promise.all(Array.from({ length: 1e6 }, () => new Promise(() => {})))", timeoutMs: 1_000, status: ["error", "timeout", "out_of_memory"] },
  { title: "breaks Promise.prototype.then", language: "javascript", code: "Promise.prototype.then = () => { for (;;); }; await Promise.resolve(1); 2", status: "timeout" },
  { title: "iterates an endless async generator", language: "javascript", code: "async function* g() { for (;;) yield 1 }\nfor await (const x of g());", status: "timeout" },
  { title: "breaks the constructor of promises", language: "javascript", code: "Promise.prototype.constructor = class { constructor() { for (;;); } }; await Promise.resolve(1); 2", status: "ok" },
  { title: "gathers coroutines that spawn coroutines", language: "python", code: "import asyncio\nasync def f(): await asyncio.gather(f(), f())\nawait f()", timeoutMs: 1_000, status: ["timeout", "out_of_memory", "error"] },
  { title: "schedules a callback in each callback", language: "python", code: "import asyncio\nloop = asyncio.get_running_loop() if False else None\nasync def main():\n    loop = asyncio.get_running_loop()\n    def f(): loop.call_soon(f)\n    f()\n    await asyncio.sleep(10**6)\nawait main()", status: "timeout" },
  { title: "is awaitable for ever", language: "python", code: "class A:\n    def __await__(self):\n        while True: yield\nawait A()", status: "timeout" },
];
