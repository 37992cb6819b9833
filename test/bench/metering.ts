import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { GUESTS, WHEEL } from "../../build/paths.ts";
import { decodeImage } from "../../src/engine/image-file.ts";
import { compileAsset } from "../../src/engine/module.ts";
import type { Guest } from "../../src/guests/guest.ts";
import { createJavascript } from "../../src/guests/javascript.ts";
import { JAVASCRIPT_MODULES, PYTHON_MODULE } from "../../src/guests/modules.ts";
import { loadPython } from "../../src/guests/python.ts";
import { PYTHON_EXPORTS } from "../../src/guests/python-core.ts";
import { javascriptCores } from "../../wasm/javascript/build.ts";
import { meterCores } from "../../wasm/javascript/cores.ts";
import { meter } from "../../wasm/meter/meter.ts";

/**
 * What metering costs: each program by turns in the metered guest and in its twin that is never charged; and what the
 * record of written pages costs, which Python's guest keeps besides: in the one that ships and in the metered one without marks. JavaScript's keeps it only for
 * a moment of programs as long as these.
 */
const PROGRAMS = {
  python: {
    "integer loop": "s = 0\nfor i in range(1_500_000): s += i & 7\ns",
    dictionary: "d = {}\nfor i in range(400_000): d[i % 5_000] = d.get(i % 5_000, 0) + i\nlen(d)",
    strings: "len(''.join(str(i) for i in range(500_000)).replace('9', ''))",
    "numpy vectors": "import numpy as np\nx = np.linspace(0, 1, 200_000)\nfor i in range(60): x = np.sqrt(x * x + 0.5)\nfloat(x.sum())",
    "numpy sort": "import numpy as np\nr = np.random.default_rng(1)\nfloat(sum(np.sort(r.random(300_000))[0] for i in range(6)))",
  },
  javascript: {
    "integer loop": "let s = 0; for (let i = 0; i < 4_000_000; i++) s += i & 7; s",
    objects: "const d = {}; for (let i = 0; i < 600_000; i++) d[i % 5_000] = (d[i % 5_000] ?? 0) + i; Object.keys(d).length",
    strings: "let t = ''; for (let i = 0; i < 600_000; i++) t += i; t.replaceAll('9', '').length",
    sort: "const a = Array.from({ length: 200_000 }, (_, i) => (i * 7_919) % 200_003); a.sort((x, y) => x - y)[5]",
    "regular expression": "const t = 'key=value; '.repeat(30_000); [...t.matchAll(/(\\w+)=(\\w+)/g)].length",
  },
} as const;

const MEMORY_BYTES = 512 * 1_024 * 1_024;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const ROUNDS = Number(values.rounds);

/** The processor time of one run in a new sandbox, in milliseconds, without what V8 compiles beside it. */
async function cost(guest: Guest, code: string): Promise<number> {
  using instance = await guest.prepare(MEMORY_BYTES, guest.imageFor(code, MEMORY_BYTES));
  const before = process.threadCpuUsage();
  const report = await instance.turn({
    code,
    limits: { wallTimeMs: 600_000, fuel: Number.MAX_SAFE_INTEGER, memoryBytes: MEMORY_BYTES, outputBytes: 65_536, fileBytes: 1_000_000 },
    files: [],
    reseed: true,
    kept: false,
    write: () => {},
    picture: () => {},
    look: () => "continue",
    outOfFuel: () => {},
    wait: () => {},
  });
  const { user, system } = process.threadCpuUsage(before);
  if (report.status !== "ok") throw new Error(`${code}: ${JSON.stringify(report.error)}`);
  return (user + system) / 1_000;
}

async function pythons(): Promise<readonly Guest[]> {
  const original = readFileSync(join(WHEEL, "python.wasm"));
  const options = { importMemory: true, dropData: true, stripCustom: true, exportFunctions: { ...PYTHON_EXPORTS }, record: true, marked: false };
  const modules = [options, { ...options, charged: false }].map((one) => new WebAssembly.Module(Uint8Array.from(meter(original, one).bytes)));
  return Promise.all([...modules, await compileAsset(PYTHON_MODULE)].map((module) => loadPython({ modules: { [PYTHON_MODULE]: module }, rooms: {} })));
}

async function javascripts(): Promise<readonly Guest[]> {
  const image = decodeImage(readFileSync(join(GUESTS, "javascript", "image")));
  const [runtime, bindings] = await Promise.all(JAVASCRIPT_MODULES.map((name) => compileAsset(name)));
  if (runtime === undefined || bindings === undefined) throw new Error("the JavaScript guest is not built");
  const bare = meterCores(await javascriptCores(), false);
  const twin = {
    runtime: new WebAssembly.Module(Uint8Array.from(bare.runtime)),
    bindings: new WebAssembly.Module(Uint8Array.from(bare.bindings)),
  };
  return [createJavascript({ runtime, bindings }, image), createJavascript(twin, image)];
}

console.log("| language | program | metered | unmetered | ratio | with its record | ratio |\n|---|---|---|---|---|---|---|");
for (const [language, load] of [["python", pythons], ["javascript", javascripts]] as const) {
  const guests = await load();
  for (const [name, code] of Object.entries(PROGRAMS[language])) {
    const times = guests.map(() => Infinity);
    // The first round compiles, and counts for none.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, guest] of guests.entries()) {
        const ms = await cost(guest, code);
        if (round > 0) times[at] = Math.min(times[at] ?? Infinity, ms);
      }
    }
    const [metered = 0, unmetered = 0, recorded] = times;
    const record = recorded === undefined ? ["", ""] : [`${recorded.toFixed(0)} ms`, (recorded / metered).toFixed(2)];
    console.log(`| ${[language, name, `${metered.toFixed(0)} ms`, `${unmetered.toFixed(0)} ms`, (metered / unmetered).toFixed(2), ...record].join(" | ")} |`);
  }
}
