import assert from "node:assert/strict";
import type { Attack } from "./attack.ts";

const tellsALine: Attack["also"] = ({ error }) => assert.ok(error?.line !== undefined, JSON.stringify(error));

export const attacks: readonly Attack[] = [
  {
    title: "is nearly always in a __del__, where an interrupt is lost",
    language: "python",
    code: "class A:\n    def __del__(self):\n        for i in range(300): pass\nwhile True: A()",
    timeoutMs: 1_000,
    status: "timeout",
    also: tellsALine,
  },
  {
    title: "loses each interrupt in a __del__ and makes the next object there",
    language: "python",
    code: "class A:\n    def __del__(self):\n        A()\n        while True: pass\nA()",
    timeoutMs: 1_000,
    status: ["timeout", "error"],
  },
  {
    title: "loops in __del__",
    language: "python",
    code: "class A:\n    def __del__(self):\n        while True: pass\na = A()\ndel a",
    status: "timeout",
  },
  {
    title: "loops in the __del__ of a global that outlives the code",
    language: "python",
    code: "class A:\n    def __del__(self):\n        while True: pass\na = A()\n1",
    status: "ok",
  },
  {
    title: "makes a new object with __del__ in each __del__",
    language: "python",
    code: "class A:\n    def __del__(self):\n        A()\nA()",
    status: ["ok", "error", "timeout", "out_of_memory"],
  },
  {
    title: "loops in a weak reference's callback",
    language: "python",
    code: "import weakref\nclass A: pass\na = A()\ndef f(_):\n    while True: pass\nr = weakref.ref(a, f)\ndel a",
    status: "timeout",
  },
  {
    title: "loops when garbage is collected",
    language: "python",
    code: "import gc\ndef f(phase, info):\n    while True: pass\ngc.callbacks.append(f)\ngc.collect()",
    status: "timeout",
  },
  {
    title: "makes the collector of the harness call it",
    language: "python",
    code: "import gc\ndef f(phase, info):\n    while True: pass\ngc.callbacks.append(f)\nraise MemoryError",
    status: ["timeout", "out_of_memory"],
  },
  {
    title: "registers an exit handler that loops",
    language: "python",
    code: "import atexit\ndef f():\n    while True: pass\natexit.register(f)\nraise SystemExit(0)",
    status: "ok",
  },
  {
    title: "loops in the cleanup of a finalized generator",
    language: "python",
    code: "def g():\n    try:\n        yield 1\n    finally:\n        while True: pass\nx = g()\nnext(x)\ndel x",
    status: "timeout",
  },
  {
    title: "unfreezes and collects what the image holds",
    language: "python",
    code: "import gc\ngc.unfreeze()\ngc.collect()\ngc.collect()\n1",
    timeoutMs: 3_000,
    status: "ok",
  },
  {
    title: "loops in a finalization registry",
    language: "javascript",
    code: "const r = new FinalizationRegistry(() => { for (;;); });\nfor (let i = 0; i < 1e5; i++) r.register({}, i);\nawait 0; 1",
    status: ["ok", "timeout", "error", "out_of_memory"],
    timeoutMs: 1_000,
  },
  {
    title: "derefs a million weak references",
    language: "javascript",
    code: "let n = 0; for (let i = 0; i < 1e6; i++) n += new WeakRef({}).deref() ? 1 : 0; n",
    status: ["ok", "timeout", "out_of_memory"],
  },
];
