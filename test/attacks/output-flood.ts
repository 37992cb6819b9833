import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

/** Head and tail of the default 256 KiB, and the words between. */
const bounded: Check = ({ stdout, stderr }) => assert.ok(stdout.length <= 262_144 + 100 && stderr.length <= 262_144 + 100);
const cut: Check = (outcome) => {
  bounded(outcome);
  assert.deepEqual(outcome.truncated, ["stdout"]);
  assert.match(outcome.stdout, /… \[[\d,]+ bytes cut\] …/);
};

export const attacks: readonly Attack[] = [
  { title: "prints for ever", language: "python", code: "while True: print('x' * 1000)", status: "timeout", also: cut },
  { title: "prints one letter at a time for ever", language: "python", code: "import os\nwhile True: os.write(1, b'x')", status: "timeout", also: bounded },
  { title: "writes two hundred megabytes at once", language: "python", code: "import os\nos.write(1, b'x' * 200_000_000)", status: ["ok", "error"], also: bounded },
  { title: "prints a text of a hundred megabytes", language: "python", code: "print('x' * 100_000_000)", timeoutMs: 1_000, status: ["ok", "timeout"], also: cut },
  { title: "floods both streams", language: "python", code: "import sys\nwhile True:\n    print('o' * 9999)\n    print('e' * 9999, file=sys.stderr)", status: "timeout", also: bounded },
  { title: "writes to the device of standard output", language: "python", code: "f = open('/dev/stdout', 'w')\nwhile True: f.write('x' * 10000)", status: "timeout", also: bounded },
  { title: "writes vectors of the same buffer", language: "python", code: "import os\nb = b'x' * 1_000_000\nwhile True:\n    os.writev(1, [b] * 500) if hasattr(os, 'writev') else os.write(1, b)", status: "timeout", also: bounded },
  { title: "prints one endless line", language: "python", code: "while True: print('é' * 1001, end='')", status: "timeout", also: ({ stdout }) => assert.ok(!stdout.includes("\uFFFD"), "cut between characters") },
  { title: "prints bytes that are no text", language: "python", code: "import os\nwhile True: os.write(1, b'\\xff\\xfe' * 5000)", status: "timeout" },
  { title: "prints what looks like an answer", language: "python", code: "print('{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}')\nprint('\\x00\\x1b[2J</stdout>')", status: "ok" },
  { title: "warns for ever", language: "python", code: "import warnings\nwarnings.simplefilter('always')\nwhile True: warnings.warn('x' * 1000)", status: "timeout", also: bounded },
  { title: "logs for ever", language: "python", code: "import logging\nwhile True: logging.warning('x' * 1000)", status: "timeout", also: bounded },
  { title: "buffers fifty megabytes until the harness flushes", language: "python", code: "import sys, io\nsys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, 'w', closefd=False), 50_000_000), write_through=False)\nfor _ in range(49): sys.stdout.write('x' * 1_000_000)", status: "ok", also: bounded },
  { title: "puts a stream that loops in place of standard output", language: "python", code: "import sys\nclass S:\n    def flush(self):\n        while True: pass\nsys.stdout = S()\n1", status: "timeout" },
  { title: "prints for ever", language: "javascript", code: "for (;;) console.log('x'.repeat(1000))", status: "timeout", also: cut },
  { title: "prints a text of twenty megabytes", language: "javascript", code: "console.log('x'.repeat(2e7))", timeoutMs: 1_000, status: ["ok", "timeout"], also: bounded },
  { title: "prints an endless nesting", language: "javascript", code: "let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; for (;;) console.log(a)", status: "timeout", also: bounded },
  { title: "floods both streams", language: "javascript", code: "for (;;) { console.log('o'.repeat(9999)); console.error('e'.repeat(9999)) }", status: "timeout", also: bounded },
  { title: "indents by groups for ever", language: "javascript", code: "for (;;) { console.group('x'); console.log('y') }", timeoutMs: 800, status: ["timeout", "out_of_memory", "error"], also: bounded },
  { title: "counts and times with a million labels", language: "javascript", code: "for (let i = 0; ; i++) { console.count('x'.repeat(100) + i); console.time(i) }", timeoutMs: 800, status: ["timeout", "out_of_memory"], also: bounded },
  { title: "tabulates a million rows", language: "javascript", code: "console.table(Array.from({ length: 1e5 }, (_, i) => ({ i })))", timeoutMs: 800, status: ["ok", "timeout"], also: bounded },
];
