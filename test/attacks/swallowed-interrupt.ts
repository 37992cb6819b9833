import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  {
    title: "catches whatever interrupts its loop",
    language: "python",
    code: "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    status: "timeout",
  },
  {
    title: "suppresses KeyboardInterrupt and goes on",
    language: "python",
    code: "import contextlib\nwhile True:\n    with contextlib.suppress(KeyboardInterrupt):\n        while True: pass",
    status: "timeout",
  },
  {
    title: "has a context manager that eats every exception",
    language: "python",
    code: "class Eater:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nwhile True:\n    with Eater():\n        while True: pass",
    status: "timeout",
  },
  {
    title: "has a generator that won't close",
    language: "python",
    code: "def g():\n    while True:\n        try:\n            yield 1\n        except BaseException: pass\nfor _ in g(): pass",
    status: "timeout",
  },
  {
    title: "catches a group of interrupts",
    language: "python",
    code: "while True:\n    try:\n        while True: pass\n    except* KeyboardInterrupt: pass",
    status: "timeout",
  },
  {
    title: "replaces KeyboardInterrupt by an exception of its own with a looping constructor",
    language: "python",
    code: "import builtins\nclass Mine(Exception):\n    def __init__(self, *a):\n        while True: pass\nbuiltins.KeyboardInterrupt = Mine\nwhile True: pass",
    status: "timeout",
  },
  {
    title: "catches it once and then finishes within the grace",
    language: "python",
    code: "try:\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')\n1",
    status: "timeout",
  },
  {
    title: "raises an exit instead of the interrupt",
    language: "python",
    code: "import os\ntry:\n    while True: pass\nexcept BaseException:\n    os._exit(0)",
    status: "timeout",
  },
  { title: "catches whatever interrupts its loop", language: "javascript", code: "for (;;) try { for (;;); } catch {}", status: "timeout" },
  {
    title: "catches in a generator's return",
    language: "javascript",
    code: "function* g() { for (;;) try { yield 1 } catch {} finally { yield 2 } }\nfor (const x of g()) { try { for (;;); } catch { continue } }",
    status: "timeout",
  },
  {
    title: "catches rejections of a loop in a promise",
    language: "javascript",
    code: "const f = () => new Promise(() => { for (;;); }).catch(f); await f()",
    status: "timeout",
  },
  { title: "exits when it is interrupted", language: "javascript", code: "try { for (;;); } catch { process.exit(0) }", status: "timeout" },
];
