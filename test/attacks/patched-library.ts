import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

const seven: Check = ({ result }) => assert.equal(result, 7);

export const attacks: readonly Attack[] = [
  { title: "replaces the door's function", language: "python", code: "import _host\n_host.call = lambda *a: 1/0\n7", status: "ok", also: seven },
  { title: "replaces the turn's function", language: "python", code: "import _host, gc\ndel _host.turn\ngc.unfreeze(); gc.collect()\n7", status: "ok", also: seven },
  { title: "empties builtins", language: "python", code: "import builtins\nvars(builtins).clear()\n7", status: "ok" },
  { title: "replaces len, str and isinstance", language: "python", code: "import builtins\nbuiltins.len = builtins.str = builtins.isinstance = builtins.repr = lambda *a: 1/0\n7", status: "ok", also: seven },
  { title: "replaces json", language: "python", code: "import json, json.encoder, json.decoder\njson.loads = json.dumps = json.encoder.JSONEncoder = lambda *a, **k: 1/0\nimport sys\nsys.modules['json'] = None\n7", status: "ok", also: seven },
  { title: "clears sys.modules", language: "python", code: "import sys\nsys.modules.clear()\n7", status: "ok" },
  { title: "breaks the traceback module", language: "python", code: "import traceback, linecache\ntraceback.TracebackException = traceback.StackSummary = linecache.getline = lambda *a, **k: 1/0\n1/0", status: "error" },
  { title: "loops in the traceback module", language: "python", code: "import traceback\ndef f(*a, **k):\n    while True: pass\ntraceback.TracebackException.__init__ = f\n1/0", status: "timeout" },
  { title: "reaches the prelude by its frames", language: "python", code: "import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\nf.f_globals.clear()\n7", status: "crashed" },
  { title: "rewrites the prelude's functions by its frames", language: "python", code: "import sys\nf = sys._getframe()\nwhile f:\n    for k in ('ask', '_send', '_work', 'failure', 'value'):\n        if k in f.f_globals: f.f_globals[k] = None\n    f = f.f_back\n7", status: "crashed" },
  { title: "rewrites the code of the turn's function", language: "python", code: "import _host\ndef f():\n    while True: pass\n_host.turn.__code__ = f.__code__\n7", status: "ok" },
  { title: "walks all objects and calls what it finds", language: "python", code: "import gc\nn = 0\nfor o in gc.get_objects():\n    if type(o).__name__ == 'function' and o.__module__ and o.__module__.startswith('_belljar'):\n        try: o(); n += 1\n        except BaseException: pass\nn", timeoutMs: 1_000, status: ["ok", "error", "timeout", "crashed", "out_of_memory"] },
  { title: "corrupts code objects", language: "python", code: "def f(): pass\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 100, co_stacksize=0)\nf()", status: ["crashed", "error", "ok", "timeout"] },
  { title: "breaks JSON", language: "javascript", code: "JSON.stringify = JSON.parse = () => 'no'; 7", status: "ok", also: seven },
  { title: "breaks Array.prototype", language: "javascript", code: "for (const k of ['push', 'join', 'map', 'filter', 'slice', 'includes', 'pop', Symbol.iterator]) Array.prototype[k] = () => { throw 1 }; 7", status: "ok", also: seven },
  { title: "breaks String.prototype", language: "javascript", code: "for (const k of ['replace', 'slice', 'toWellFormed', 'repeat', 'startsWith', 'split']) String.prototype[k] = () => { throw 1 }; 7", status: "ok" },
  { title: "breaks Reflect and Object", language: "javascript", code: "for (const o of [Reflect, Object]) for (const k of Object.getOwnPropertyNames(o)) try { o[k] = () => { throw 1 } } catch {} 7", status: "ok" },
  { title: "deletes every global", language: "javascript", code: "for (const k of Reflect.ownKeys(globalThis)) try { delete globalThis[k] } catch {} 7", status: "ok" },
  { title: "sets an index on Object.prototype", language: "javascript", code: "Object.defineProperty(Object.prototype, 'get', { get() { throw 1 } }); Object.prototype.status = 'x'; 7", status: "ok" },
  { title: "loops in the stack preparation of errors", language: "javascript", code: "Error.prepareStackTrace = () => { for (;;); }; null.x", status: "timeout" },
  { title: "throws in the stack preparation of errors", language: "javascript", code: "Error.prepareStackTrace = () => { throw 1 }; null.x", status: "error" },
  { title: "asks for endless stack traces", language: "javascript", code: "Error.stackTraceLimit = Infinity; const f = () => { new Error().stack; f() }; f()", timeoutMs: 1_000, status: ["timeout", "error", "out_of_memory"] },
  { title: "makes the stack trace limit a trap", language: "javascript", code: "Object.defineProperty(Error, 'stackTraceLimit', { get() { for (;;); } }); null.x", status: "error" },
  { title: "locks prepareStackTrace before it is interrupted", language: "javascript", code: "Object.defineProperty(Error, 'prepareStackTrace', { value: () => { for (;;); }, writable: false, configurable: false }); for (;;);", status: "timeout" },
  { title: "freezes all that there is", language: "javascript", code: "for (const k of Object.getOwnPropertyNames(globalThis)) try { Object.freeze(globalThis[k]); Object.freeze(globalThis[k].prototype) } catch {} 7", status: "ok" },
];
