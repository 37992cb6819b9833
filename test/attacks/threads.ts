import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "loops in a thread", language: "python", code: "import threading\ndef f():\n    while True: pass\nt = threading.Thread(target=f)\nt.start(); t.join()", status: "timeout" },
  { title: "leaves a daemon that loops", language: "python", code: "import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f, daemon=True).start()\n1", status: "ok" },
  { title: "starts a thread in each thread", language: "python", code: "import threading\ndef f(): threading.Thread(target=f).start()\nf()", timeoutMs: 1_000, status: ["ok", "error", "timeout", "out_of_memory"] },
  { title: "swallows the interrupt in a pool", language: "python", code: "from concurrent.futures import ThreadPoolExecutor\ndef f():\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\nwith ThreadPoolExecutor() as p: p.submit(f).result()", status: "timeout" },
  { title: "queues a million jobs in a pool", language: "python", code: "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as p: list(p.map(abs, range(10**6)))", timeoutMs: 1_000, status: ["timeout", "out_of_memory", "ok"] },
  { title: "loops in a timer's thread", language: "python", code: "import threading\ndef f():\n    while True: pass\nt = threading.Timer(0.01, f)\nt.start(); t.join()", status: "timeout" },
  { title: "forks", language: "python", code: "import os\nos.fork()", status: "error" },
  { title: "starts processes", language: "python", code: "import subprocess\nwhile True:\n    try: subprocess.run(['sh'])\n    except Exception: pass", status: "timeout" },
  { title: "starts raw threads", language: "python", code: "import _thread\ndef f():\n    while True: pass\n_thread.start_new_thread(f, ())\n1", status: "error" },
  { title: "starts a worker", language: "javascript", code: "new Worker('data:text/javascript,for(;;);')", status: "error" },
];
