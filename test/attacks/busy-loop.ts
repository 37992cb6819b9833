import assert from "node:assert/strict";
import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  {
    title: "loops for ever",
    language: "python",
    code: "print('begun')\nx = 1\nwhile True: pass",
    status: "timeout",
    also: ({ stdout, error }) => {
      assert.equal(stdout, "begun\n");
      assert.equal(error?.line, 3);
      assert.match(error?.traceback ?? "", /while True: pass/);
    },
  },
  {
    title: "loops for ever in a function that a function called",
    language: "python",
    code: "def f():\n    while 1:\n        pass\ndef g(): f()\ng()",
    status: "timeout",
    also: ({ error }) => assert.match(error?.traceback ?? "", /line 5[^]*line 4[^]*line [23]/),
  },
  { title: "executes a loop given as text", language: "python", code: "exec('while True: pass')", status: "timeout" },
  { title: "loops in the last expression", language: "python", code: "[0 for _ in iter(int, 1)]", status: ["timeout", "out_of_memory"] },
  {
    title: "loops for ever",
    language: "javascript",
    code: "console.log('begun');\nlet x = 1;\nfor (;;);",
    status: "timeout",
    also: ({ stdout, error }) => {
      assert.equal(stdout, "begun\n");
      assert.equal(error?.line, 3);
    },
  },
  { title: "loops in a function that a function called", language: "javascript", code: "const f = () => { while (true) {} };\n(() => f())()", status: "timeout" },
  { title: "evaluates a loop given as text", language: "javascript", code: "eval('for(;;);')", status: "timeout" },
  { title: "loops in a constructed function", language: "javascript", code: "new Function('for(;;);')()", status: "timeout" },
];
