import assert from "node:assert/strict";
import type { Attack } from "./attack.ts";

const located = { status: "timeout", also: ({ error }) => assert.equal(error?.line, 2) } as const satisfies Partial<Attack>;

export const attacks: readonly Attack[] = [
  { title: "backtracks for ever", language: "python", code: "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')", ...located },
  { title: "backtracks inside a substitution", language: "python", code: "import re\nre.sub(r'(x+x+)+y', '', 'x' * 64)", ...located },
  { title: "catches the interrupt of its regular expression", language: "python", code: "import re\nwhile True:\n    try: re.match(r'(a|aa)+$', 'a' * 200 + 'b')\n    except BaseException: pass", status: "timeout" },
  { title: "searches a pandas column with a bad pattern", language: "python", code: "import pandas as pd\npd.Series(['a' * 64 + 'b'] * 100).str.match(r'(a+)+$')", timeoutMs: 800, ...located },
  { title: "compiles a pattern of ten thousand groups", language: "python", code: "import re\nre.compile('(' * 10000 + 'a' + ')' * 10000)", status: "error" },
  { title: "repeats a repeat of a repeat", language: "python", code: "import re\nre.match('((((a{0,999}){0,999}){0,999}){0,999})$', 'a' * 1000 + 'b')", status: ["timeout", "error", "out_of_memory"] },
  { title: "backtracks for ever", language: "javascript", code: "const text = 'a'.repeat(64) + 'b';\n/(a+)+$/.test(text)", ...located },
  { title: "backtracks inside a replace", language: "javascript", code: "const text = 'x'.repeat(64);\ntext.replace(/(x+x+)+y/g, '')", ...located },
  { title: "catches the interrupt of its regular expression", language: "javascript", code: "for (;;) try { /(a|aa)+$/.test('a'.repeat(200) + 'b') } catch {}", status: "timeout" },
  { title: "compiles a pattern of a hundred thousand groups", language: "javascript", code: "new RegExp('('.repeat(100000) + 'a' + ')'.repeat(100000)).test('a')", status: "error" },
  { title: "repeats a repeat of a repeat", language: "javascript", code: "/((((a{0,999}){0,999}){0,999}){0,999})$/.test('a'.repeat(1000) + 'b')", status: ["timeout", "error", "out_of_memory"] },
];
