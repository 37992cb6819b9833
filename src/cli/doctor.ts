import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { isPacked, assetText } from "../engine/assets.ts";
import { grantLines } from "../policy/grant-words.ts";
import type { Grants } from "../policy/grants.ts";
import { LANGUAGES, type Language } from "../policy/limits.ts";
import { LANGUAGE_NAMES, number } from "../policy/sentences.ts";
import type { Settings } from "../policy/settings.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { EXIT, type Invocation } from "./command.ts";
import { parseCommandLine, readSettings } from "./flags.ts";
import { open } from "./sandboxes.ts";
import { VERSION } from "./version.ts";

/** A self-test waits longer than a call: the first import of the largest packages is slow on a small machine. */
const PATIENCE_MS = 120_000;

interface Check {
  readonly name: string;
  readonly code: string;
  readonly expect: unknown;
}

const CHECKS: Readonly<Record<Language, readonly Check[]>> = {
  python: [
    { name: "first run", code: "sum(range(101))", expect: 5_050 },
    { name: "second run", code: "sorted({'b': 1, 'a': 2})", expect: ["a", "b"] },
    {
      name: "numpy, pandas",
      code: "import numpy as np, pandas as pd\nfloat(pd.Series(np.arange(5.0)).mean())",
      expect: 2,
    },
    {
      name: "scipy, scikit-learn, statsmodels, sympy, lxml, sqlite3, PIL",
      code: "import scipy.stats, sklearn.linear_model, statsmodels.api, sympy, lxml.etree, sqlite3, PIL.Image\n'all here'",
      expect: "all here",
    },
    {
      name: "matplotlib",
      code: "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nlen(plt.gca().lines)",
      expect: 1,
    },
    { name: "sealed", code: "import os\n[os.path.exists(p) for p in ('/etc/passwd', '/proc')]", expect: [false, false] },
  ],
  javascript: [
    { name: "first run", code: "[1, 2, 3].map((n) => n * 2)", expect: [2, 4, 6] },
    { name: "second run", code: "const n: number = await Promise.resolve(7);\nn", expect: 7 },
    { name: "sealed", code: "this.constructor.constructor('return typeof Deno')()", expect: "undefined" },
  ],
};

/** `belljar doctor`: tries both guests, says how long each step took, and lists what is inside. */
export async function doctor(
  { args, env, stdout }: Invocation,
  openWith: typeof open = open,
): Promise<number> {
  const settings = { ...readSettings(parseCommandLine(args).values, env), workers: 1 };
  stdout.write(`Belljar ${VERSION} on ${process.platform}-${process.arch}${isPacked() ? ", one file" : ""}\n\n`);
  stdout.write(`${openTo(settings.grants)}\n\n`);
  await using sandboxes = await openWith(settings, LANGUAGES);
  let failed = 0;
  const report = (ok: boolean, name: string, ms: number, said = ""): void => {
    if (!ok) failed += 1;
    stdout.write(`${ok ? "ok  " : "FAIL"} ${`${number(Math.round(ms))} ms`.padStart(9)}  ${name}${said && `: ${said}`}\n`);
  };
  for (const language of LANGUAGES) {
    const name = LANGUAGE_NAMES[language];
    try {
      report(true, `${name} ready`, await sandboxes.ready(language));
    } catch (error) {
      report(false, `${name} ready`, 0, messageOf(error));
      continue;
    }
    for (const check of CHECKS[language]) await tryOut(check, language, settings, sandboxes, report);
  }
  stdout.write(`\n${versions()}\n${failed === 0 ? "All is well." : `${number(failed)} failed.`}\n`);
  return failed === 0 ? EXIT.ok : EXIT.error;
}

async function tryOut(
  check: Check,
  language: Language,
  { limits }: Settings,
  sandboxes: Sandboxes,
  report: (ok: boolean, name: string, ms: number, said?: string) => void,
): Promise<void> {
  const memoryMb = language === "python" ? limits.pythonMemory : limits.javascriptMemory;
  const request = { language, code: check.code, timeoutMs: Math.max(limits.timeout, PATIENCE_MS), fuel: limits.fuel, memoryMb, files: [] };
  const started = performance.now();
  const { outcome } = await sandboxes.run(request);
  const ms = performance.now() - started;
  const right = outcome.status === "ok" && JSON.stringify(outcome.result) === JSON.stringify(check.expect);
  const told = outcome.error?.message ?? `answered ${JSON.stringify(outcome.result) ?? "nothing"}`;
  report(right, `${LANGUAGE_NAMES[language]} ${check.name}`, ms, right ? "" : told);
}

/** What of the machine code could reach with these flags. */
function openTo(grants: Grants): string {
  const lines = grantLines(grants);
  return lines.length === 0 ? "Open to code: nothing of this machine." : ["Open to code:", ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Name and version of all that is sealed inside, one a line. */
function versions(): string {
  const inside = z.record(z.string(), z.string()).parse(JSON.parse(assetText("versions.json")));
  const width = Math.max(...Object.keys(inside).map((name) => name.length));
  const rows = Object.entries(inside).map(([name, version]) => `  ${name.padEnd(width)}  ${version}`);
  return `Inside:\n${rows.join("\n")}\n`;
}
