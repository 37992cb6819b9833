import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { unzipSync, type Zippable, zipSync } from "fflate";
import { findWheel } from "./find-wheel.ts";
import { readLock } from "./lock.ts";
import { GUESTS, ROOT, STAGE, WEB_LICENCES, WHEEL } from "./paths.ts";
import type { Step } from "./step.ts";

/** Belljar's own part of it: what stands for modules that need a machine. */
const OWN = join(ROOT, "wasm", "python", "web");
/** What nobody can use here: other ways to speak, and what only type checkers read. */
const LEFT_OUT = /^urllib3\/(?:contrib\/|http2\/connection)|\.typed$/;
/** Archives tell the time; the same sources make the same bytes. */
const MTIME = "1980-01-01";

/** What speaks HTTP in the Python guest, compiled by that guest: one archive, which is read when it is imported. */
export const web: Step = {
  name: "web",
  inputs: ["wasm/lock.json", "wasm/python/web", "wasm/python/compile.ts", "build/web.ts", "build/find-wheel.ts", "build/lock.ts", "src/host", "src/guests/python-core.ts", "src/guests/python-files.ts"],
  after: ["wheel", "meter"],
  outputs: ["dist/guests/python-web.zip", "dist/stage/web-licences"],
  async run() {
    const { compilePython } = await import("../wasm/python/compile.ts");
    const { STDLIB, WEB } = await import("../src/guests/python-files.ts");
    const { memoryPages } = await import("./memory-pages.ts");
    const sources: Zippable = {};
    rmSync(WEB_LICENCES, { recursive: true, force: true });
    for (const pin of readLock().web) {
      for (const [path, bytes] of Object.entries(unzipSync(findWheel(pin, { isNamed: false })))) {
        const terms = /\.dist-info\/licenses\/(.+)$/.exec(path)?.[1];
        if (terms !== undefined) write(join(WEB_LICENCES, `${pin.name}-${pin.version}`, terms), bytes);
        else if (path.endsWith(".py") && !LEFT_OUT.test(path)) sources[path] = bytes;
      }
    }
    // urllib3 imports this package, though nothing of it is called.
    sources["urllib3/contrib/__init__.py"] = new Uint8Array(0);
    for (const path of globSync("**/*.py", { cwd: OWN }).sort()) sources[path.split(sep).join(posix.sep)] = readFileSync(join(OWN, path));
    const compiled = compilePython({
      module: new WebAssembly.Module(readFileSync(join(STAGE, "python.wasm"))),
      memoryPages: memoryPages(readFileSync(join(WHEEL, "python.wasm"))),
      stdlib: { path: STDLIB, bytes: readFileSync(join(GUESTS, "python-stdlib.zip")) },
      sources: zipSync(sources, { mtime: MTIME }),
      archive: WEB,
    });
    write(join(GUESTS, "python-web.zip"), zipSync(Object.fromEntries(compiled), { mtime: MTIME, level: 9 }));
  },
};

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}
