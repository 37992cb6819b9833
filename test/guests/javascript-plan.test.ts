import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { planAhead } from "../../src/guests/javascript-source/ahead.ts";
import { makePlan } from "../../src/guests/javascript-source/make-plan.ts";
import { carryOut, type Plan } from "../../src/guests/javascript-source/plan.ts";
import { stripTypes } from "../../src/guests/javascript-source/typescript.ts";
import { openSession } from "./javascript-session.ts";

const PROGRAMS = join(import.meta.dirname, "..", "conformance", "programs");
const programs = readdirSync(PROGRAMS).flatMap((name) =>
  [...readFileSync(join(PROGRAMS, name), "utf8").matchAll(/^```(?:javascript|js|typescript|ts)\n([^]*?)^```/gm)].map(([, code = ""]) => code),
);

const FORMS = {
  "nothing": "",
  "a value": "1 + 1",
  "a first line for a shell": "#!/usr/bin/env node\n1",
  "an object": "{ a: 1, b: [2] }",
  "a block": "{ const a = 1; a }",
  "strict code": "'use strict';\nlet x = 1; x",
  "imports and exports": "import fs, { readFileSync as read } from 'node:fs';\nimport * as path from 'path';\nexport const a = await import('os');\nexport default a;\nimport.meta.url",
  "a return": "if (globalThis.x) return 1;\nreturn",
  "throws": "try {\n  throw { code: 1 };\n} catch (error) {\n  if (error.code) throw 'no';\n  throw 2;\n}",
  "what is taken apart": "const { a, b: [c] } = { a: 1, b: [2] };\nfor (const [d] of [[1]]) d;",
  "types": "interface A { a: number }\nconst f = <T,>(x: T): T => x;\nenum B { C = 1 }\nthrow f<A>({ a: B.C } as A);",
  "code in fences": "```js\nconst a = 1;\na\n```",
  "typed code amid prose": "Here it is:\n\n```ts\nconst a: number = 1;\nthrow a;\n```\n\nThat's it.",
  "line ends of Windows": "const a = 1;\r\nthrow a\r\n",
  "letters of all kinds": "const größe = '👩‍🚀', \u{20bb7} = 1;\nthrow größe + \u{20bb7}",
  "a regular expression that looks back": "/(?<=a)b(?<!c)/.test('ab')",
} as const satisfies Record<string, string>;

async function ahead(code: string): Promise<Plan> {
  const plan = await planAhead(code);
  assert.notEqual(plan, "", `no plan for ${code.slice(0, 80)}`);
  return JSON.parse(plan);
}

async function assertSame(code: string): Promise<void> {
  const [host, guest] = [await ahead(code), makePlan(code, { stripTypes })];
  for (const lineOffset of [0, 1_234]) {
    const [one, other] = [host, guest].map((plan) => carryOut(plan, code, lineOffset));
    assert.ok(one && other);
    assert.deepEqual([one.text, one.body, one.headLines], [other.text, other.body, other.headLines]);
    const origins = ({ body, origin }: typeof one): number[] => Array.from({ length: body.length + 2 }, (_, offset) => origin(offset));
    assert.deepEqual(origins(one), origins(other));
  }
}

describe("a plan from the host makes of code what the guest's own makes of it", () => {
  for (const [title, code] of Object.entries(FORMS)) test(title, () => assertSame(code));

  test("the programs of the conformance tests", async () => {
    const readable = programs.filter((code) => !/\(\?<[^=!]/.test(code));
    assert.ok(readable.length > 20, String(readable.length));
    for (const code of readable) await assertSame(code);
  });
});

const typed = (length: number): string => "let a: string = '".padEnd(length - 1, "x") + "'";
const nested = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
const BOUNDS = [
  { title: "is long", within: "1;".padEnd(8_192, " "), beyond: "1;".padEnd(8_193, " ") },
  { title: "has types and is long", within: typed(4_096), beyond: typed(4_097) },
  { title: "nests deep", within: nested(100), beyond: nested(101) },
  { title: "has the parser of types try much", within: `let a: b;${"a ? (b) : ".repeat(4)}c`, beyond: `let a: b;${"a ? (b) : ".repeat(400)}c` },
  { title: "has many loops", within: "for (;0;)".repeat(100) + "1", beyond: "for (;0;)".repeat(101) + "1" },
  { title: "names the groups of a regular expression", within: "/(y)(?<=z)/", beyond: "/(?<y>z)/" },
  { title: "holds half a character", within: "'\\ud83d'", beyond: "'\ud83d'" },
  { title: "is no JavaScript", within: "let x", beyond: "let x y" },
] as const;

describe("code is left to the guest when it", () => {
  for (const { title, within, beyond } of BOUNDS) {
    test(title, async () => {
      assert.notEqual(await planAhead(within), "");
      assert.equal(await planAhead(beyond), "");
    });
  }

  test("is long, and runs all the same, in a sandbox that has run code with a plan and after", async () => {
    const { run } = await openSession();
    const kept = { kept: true };
    assert.equal((await run("const a = 1;\na", kept)).repr, "1");
    const long = await run(`const b = a + 1; // ${"x".repeat(9_000)}\nthrow b`, kept);
    assert.deepEqual([long.error?.message, long.error?.line], ["Uncaught 2", 2]);
    const short = await run("\nthrow b + 1", kept);
    assert.deepEqual([short.error?.message, short.error?.line], ["Uncaught 3", 2]);
  });
});
