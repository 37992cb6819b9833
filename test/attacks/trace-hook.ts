import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "loops in a trace function", language: "python", code: "import sys\ndef t(*a):\n    while True: pass\nsys.settrace(t)\ndef f(): pass\nf()", status: "timeout" },
  { title: "leaves a trace function for the harness", language: "python", code: "import sys\ndef t(*a):\n    while True: pass\nsys.settrace(t)\n1", status: "timeout" },
  { title: "swallows every exception in a profiler", language: "python", code: "import sys\ndef t(*a):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\nsys.setprofile(t)\nlen('')", status: "timeout" },
  { title: "monitors every event with a loop", language: "python", code: "import sys\nm = sys.monitoring\nm.use_tool_id(1, 'x')\ndef f(*a):\n    while True: pass\nm.register_callback(1, m.events.PY_START, f)\nm.set_events(1, m.events.PY_START)\ndef g(): pass\ng()", status: "timeout" },
  { title: "leaves a monitor for the harness", language: "python", code: "import sys\nm = sys.monitoring\nm.use_tool_id(1, 'x')\ndef f(*a):\n    while True: pass\nfor e in (m.events.PY_START, m.events.CALL, m.events.LINE):\n    m.register_callback(1, e, f)\nm.set_events(1, m.events.PY_START | m.events.LINE)\n1", status: "timeout" },
  { title: "loops in an audit hook", language: "python", code: "import sys\ndef h(*a):\n    while True: pass\nsys.addaudithook(h)\n1", status: ["ok", "timeout"] },
  { title: "raises in an audit hook", language: "python", code: "import sys\ndef h(*a): raise KeyboardInterrupt\nsys.addaudithook(h)\n1", status: "crashed" },
  { title: "loops in the hook for unraisable errors", language: "python", code: "import sys\ndef h(*a):\n    while True: pass\nsys.unraisablehook = h\nclass A:\n    def __del__(self): 1/0\nA()", status: "timeout" },
  { title: "loops in the display hooks", language: "python", code: "import sys\ndef h(*a):\n    while True: pass\nsys.displayhook = sys.excepthook = h\n1", status: "ok" },
  { title: "loops in an import hook", language: "python", code: "import sys\nclass F:\n    def find_spec(self, *a):\n        while True: pass\nsys.meta_path.insert(0, F())\nimport colorsys", status: "timeout" },
  { title: "leaves an import hook for the harness", language: "python", code: "import sys\nclass F:\n    def find_spec(self, *a):\n        while True: pass\nsys.meta_path[:] = [F()]\nsys.path_hooks[:] = []\nsys.modules.clear()\n1/0", status: "error" },
];
