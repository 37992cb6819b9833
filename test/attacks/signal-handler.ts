import type { Attack } from "./attack.ts";

const loop = "\nwhile True: pass";

export const attacks: readonly Attack[] = [
  { title: "ignores SIGINT", language: "python", code: `import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)${loop}`, status: "timeout" },
  { title: "restores the default action of SIGINT", language: "python", code: `import signal\nsignal.signal(signal.SIGINT, signal.SIG_DFL)${loop}`, status: "timeout" },
  { title: "handles SIGINT by doing nothing", language: "python", code: `import signal\nsignal.signal(signal.SIGINT, lambda *a: None)${loop}`, status: "timeout" },
  {
    title: "handles SIGINT with a loop",
    language: "python",
    code: `import signal\ndef f(*a):\n    while True: pass\nsignal.signal(signal.SIGINT, f)${loop}`,
    status: "timeout",
  },
  { title: "handles SIGINT with what can't be called", language: "python", code: `import _signal\ntry: _signal.signal(2, 5)\nexcept Exception: pass${loop}`, status: "timeout" },
  { title: "handles SIGINT by raising an exit", language: "python", code: `import signal, sys\nsignal.signal(signal.SIGINT, lambda *a: sys.exit(0))${loop}`, status: "timeout" },
  { title: "raises SIGINT itself", language: "python", code: "import signal\nsignal.raise_signal(signal.SIGINT)", status: "error" },
  {
    title: "raises every signal there is",
    language: "python",
    code: "import signal\nfor s in range(1, 65):\n    try: signal.raise_signal(s)\n    except BaseException as e: print(s, type(e).__name__)",
    status: "crashed",
  },
  { title: "wakes itself through a descriptor", language: "python", code: `import signal\ntry: signal.set_wakeup_fd(1)\nexcept Exception: pass${loop}`, status: "timeout" },
  { title: "interrupts its own main thread for ever", language: "python", code: "import _thread\nwhile True:\n    try: _thread.interrupt_main()\n    except BaseException: pass", status: "timeout" },
];
