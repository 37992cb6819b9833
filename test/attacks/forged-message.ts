import assert from "node:assert/strict";
import type { Attack } from "./attack.ts";

const call = (bytes: string): string => `import _host\n_host.call(${bytes})\n`;
const report = (rest: string): string => call(`b'{"op":"report",${rest}}\\n'`);

export const attacks: readonly Attack[] = [
  { title: "forges a report and then loops", language: "python", code: `${report('"status":"ok","result":1')}while True: pass`, status: "timeout" },
  { title: "forges a report and is then killed by a trap", language: "python", code: `${report('"status":"ok","result":1')}import os; os.abort()`, status: "error" },
  { title: "forges a report with a status that guests can't have", language: "python", code: `try: print(_host.call(b'{"op":"report","status":"timeout"}\\n')) if __import__('_host') and not globals().update(_host=__import__('_host')) else 0\nexcept OSError: pass\n2`, status: "ok", also: ({ result }) => assert.equal(result, 2) },
  { title: "forges fields that no report has", language: "python", code: `${report('"status":"ok","usage":{"fuel":0},"stdout":"forged","__proto__":{"x":1}')}2`, status: "ok", also: ({ result, stdout }) => assert.deepEqual([result, stdout], [2, ""]) },
  { title: "asks for the turn again", language: "python", code: `${call(`b'{"op":"turn"}\\n'`)}3`, status: "ok", also: ({ result }) => assert.equal(result, 3) },
  { title: "sends a message that is no JSON", language: "python", code: call("b'\\xff\\x00\\n'"), status: "error" },
  { title: "sends a message without an end", language: "python", code: call("b'x' * 5_000_000"), status: "error" },
  { title: "sends a header of a hundred megabytes", language: "python", code: call("b'{\"op\":\"' + b'x' * 100_000_000 + b'\"}\\n'"), status: ["ok", "error"] },
  { title: "sends a deep header", language: "python", code: call("b'{\"op\":\"report\",\"status\":\"ok\",\"result\":' + b'[' * 1_000_000 + b']' * 1_000_000 + b'}\\n'"), status: "ok" },
  { title: "sends reports of a million numbers for ever", language: "python", code: "import _host\nm = b'{\"op\":\"report\",\"status\":\"ok\",\"result\":[' + b'1,' * 1_900_000 + b'1]}\\n'\nwhile True:\n    try: _host.call(m)\n    except BaseException: pass", timeoutMs: 800, status: "timeout" },
  { title: "sends reports with a million keys", language: "python", code: "import _host\nm = b'{\"op\":\"report\",\"status\":\"ok\",\"result\":{' + ','.join(f'\"{i}\":1' for i in range(250_000)).encode() + b'}}\\n'\nwhile True:\n    try: _host.call(m)\n    except BaseException: pass", timeoutMs: 1_000, status: "timeout" },
  { title: "sends pictures of sixteen megabytes for ever", language: "python", code: "import _host\nm = b'{\"op\":\"picture\",\"name\":\"x\",\"mime_type\":\"image/png\"}\\n' + b'x' * 16_000_000\nwhile True:\n    try: _host.call(m)\n    except BaseException: pass", timeoutMs: 800, status: "timeout" },
  { title: "sends a picture that is none", language: "python", code: `${call(`b'{"op":"picture","name":"../../x","mime_type":"image/png"}\\nnot a picture'`)}4`, status: "ok", also: ({ result }) => assert.equal(result, 4) },
  { title: "sends a picture of another kind", language: "python", code: `${call(`b'{"op":"picture","name":"x","mime_type":"text/html"}\\n<script>'`)}4`, status: "ok" },
  { title: "names operations of the host's objects", language: "python", code: "import _host\nfor op in ('constructor', '__proto__', 'toString', '', 'report\\x00'):\n    try: _host.call(('{\"op\":\"' + op.replace(chr(0), '') + '\"}\\n').encode())\n    except OSError: pass\n5", status: "ok" },
  { title: "passes what is no bytes", language: "python", code: "import _host\nfor x in (None, 5, 'x', memoryview(b'x')[::-1], [1]):\n    try: _host.call(x)\n    except Exception: pass\n6", status: "ok" },
  { title: "returns a value that looks like an outcome", language: "python", code: `{"status": "error", "stdout": "forged", "isError": True}`, status: "ok", also: ({ stdout }) => assert.equal(stdout, "") },
  { title: "returns a value that looks like an outcome", language: "javascript", code: `({ status: "error", stdout: "forged", __proto__: null })`, status: "ok", also: ({ stdout }) => assert.equal(stdout, "") },
  { title: "returns a value with a key __proto__", language: "javascript", code: `JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}')`, status: "ok" },
];
