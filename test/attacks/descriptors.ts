import assert from "node:assert/strict";
import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "closes the standard streams", language: "python", code: "import os\nprint('before', flush=True)\nfor fd in (0, 1, 2):\n    try: os.close(fd)\n    except OSError: pass\n1", status: "ok" },
  { title: "closes every descriptor and fails", language: "python", code: "import os\nos.closerange(0, 300)\n1/0", status: "error", also: ({ error }) => assert.equal(error?.type, "ZeroDivisionError") },
  { title: "closes the root folder and imports", language: "python", code: "import os\nos.close(3)\nimport decimal, statistics\nstatistics.mean([1, 2])", status: "error" },
  { title: "closes the streams' own objects", language: "python", code: "import sys\nsys.stdout.close(); sys.stderr.close()\n1/0", status: "error", also: ({ error }) => assert.equal(error?.type, "ZeroDivisionError") },
  { title: "deletes the streams", language: "python", code: "import sys\ndel sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__\n6", status: "ok" },
  { title: "opens files until no descriptor is left", language: "python", code: "a = []\nwhile True: a.append(open('/tmp/x', 'a'))", status: "error", also: ({ error }) => assert.equal(error?.type, "OSError") },
  { title: "opens files until no descriptor is left, and imports", language: "python", code: "a = []\ntry:\n    while True: a.append(open('/tmp/x', 'a'))\nexcept OSError: pass\nimport colorsys\n1", status: "error" },
  { title: "writes to a descriptor that it was never given", language: "python", code: "import os\nn = 0\nfor fd in range(4, 1000):\n    try: os.write(fd, b'x')\n    except OSError: n += 1\nn", status: "ok", also: ({ result }) => assert.equal(result, 996) },
  { title: "exchanges its streams with dup2", language: "python", code: "import os\nos.dup2(2, 1) if hasattr(os, 'dup2') else None\nprint('x')", status: "error" },
  { title: "reads from devices for ever", language: "python", code: "f = open('/dev/zero', 'rb', 0)\nwhile True: f.read(10**8)", status: ["timeout", "out_of_memory"] },
  { title: "reads random bytes for ever", language: "python", code: "import os\nwhile True: os.urandom(16_000_000)", status: "timeout" },
  { title: "asks for a gigabyte of random bytes", language: "python", code: "import os\nos.urandom(10**9)", status: "out_of_memory" },
  { title: "reads its archive over and over", language: "python", code: "while True: open('/usr/local/lib/python315.zip', 'rb').read(50_000_000)", status: ["timeout", "out_of_memory"] },
  { title: "asks for random bytes for ever", language: "javascript", code: "for (;;) crypto.getRandomValues(new Uint8Array(65536))", status: "timeout" },
  { title: "asks for more random bytes than are given", language: "javascript", code: "crypto.getRandomValues(new Uint8Array(1e6))", status: "error" },
];
