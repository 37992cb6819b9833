import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadGuest } from "../src/guests/load.ts";
import { JAVASCRIPT_MODULES, PYTHON_MODULE } from "../src/guests/modules.ts";
import { NO_GRANTS } from "../src/policy/grants.ts";
import { LANGUAGES } from "../src/policy/limits.ts";
import { runTurn } from "../src/sandbox/run.ts";
import { SHARED } from "../src/sandbox/stop.ts";
import { GUESTS } from "./paths.ts";
import { BuildError } from "./step.ts";

/** Beside what threads warm up with: what first calls are like. */
const PROGRAMS = {
  python: [
    "revenue = [12400, 15800, 14200]\ngrowth = [b - a for a, b in zip(revenue, revenue[1:])]\nprint(f'{max(growth):,}')\n{'average': round(sum(revenue) / len(revenue), 2)}",
    "import json, math, re\nclass Point:\n    def __init__(self, x): self.x = x\nsorted((Point(n) for n in range(3)), key=lambda p: -p.x)[0].x, re.sub('a+', 'b', 'aaa'), json.dumps({'a': math.pi})",
  ],
  javascript: [
    "const revenue = [12400, 15800, 14200];\nconst growth = revenue.slice(1).map((value, at) => value - revenue[at]);\nconsole.log(`most: ${Math.max(...growth)}`);\n({ average: revenue.reduce((a, b) => a + b) / revenue.length })",
    "class Point { constructor(x) { this.x = x; } }\nconst { x, ...rest } = new Point([1, 2].find((n) => n > 1));\nJSON.stringify([x, 'aaa'.replace(/a+/g, 'b'), new Map(Object.entries({ a: 1 }))])",
  ],
} as const;
const MIB = 1_048_576;
const LIMITS = { wallTimeMs: 60_000, fuel: 10_000_000_000, memoryBytes: 256 * MIB, outputBytes: MIB, fileBytes: MIB };

const [wanted, file = ""] = process.argv.slice(2);
const language = LANGUAGES.find((name) => name === wanted);
if (language === undefined) throw new BuildError(`There is no language ${String(wanted)}.`);
const paths = language === "python" ? [[PYTHON_MODULE, file] as const] : JAVASCRIPT_MODULES.map((name) => [name, join(GUESTS, name)] as const);
const modules = Object.fromEntries(paths.map(([name, path]) => [name, new WebAssembly.Module(readFileSync(path))]));
const guest = await loadGuest(language, { modules: Promise.resolve(modules), rooms: Promise.resolve({}) }, NO_GRANTS);
const image = guest.imageFor("", LIMITS.memoryBytes);
const instance = await guest.prepare(LIMITS.memoryBytes, image);
for (const code of [...guest.warmUp, ...PROGRAMS[language]]) {
  await runTurn({
    instance, language, code, limits: LIMITS, files: [], reseed: true, kept: false, soft: guest.interruptible,
    flag: new Int32Array(new SharedArrayBuffer(SHARED.bytes)),
    onEnd: () => {},
  });
  if (!instance.reset(image)) throw new BuildError("The sandbox could not be reset.");
}
