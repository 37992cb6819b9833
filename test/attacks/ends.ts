import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "aborts", language: "python", code: "import os\nos.abort()", status: "error" },
  { title: "exits at once", language: "python", code: "import os\nprint('x', flush=True)\nos._exit(7)", status: "error" },
  { title: "kills itself", language: "python", code: "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", status: "error" },
  { title: "crashes through ctypes", language: "python", code: "import ctypes\nctypes.string_at(0)", status: "error" },
  { title: "makes faulthandler crash", language: "python", code: "import faulthandler\nfaulthandler._sigsegv()", status: "crashed" },
  { title: "asks faulthandler to dump later", language: "python", code: "import faulthandler\nfaulthandler.dump_traceback_later(0.1, exit=True)", status: "error" },
  { title: "exits with a huge code", language: "python", code: "import sys\nsys.exit(10**1000)", status: "ok" },
  { title: "exits with an object that loops in its str", language: "python", code: "class A:\n    def __str__(self):\n        while True: pass\nraise SystemExit(A())", status: "timeout" },
  { title: "ends the interpreter", language: "python", code: "import _testcapi", status: "error" },
  { title: "exits", language: "javascript", code: "process.exit(7)", status: "error" },
  { title: "exits in a promise", language: "javascript", code: "Promise.resolve().then(() => process.exit(7)); await new Promise(() => {})", status: "error" },
  { title: "aborts", language: "javascript", code: "process.abort()", status: "error" },
  { title: "looks for the engine's module", language: "javascript", code: "await import('belljar:guest/door')", status: "error" },
  { title: "looks for the host", language: "javascript", code: "const f = (() => {}).constructor; f('return this')().process.binding('fs')", status: "error" },
];
