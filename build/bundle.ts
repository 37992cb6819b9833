import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { DIST, GUESTS, ROOT } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** Nobody asks zod for its messages in forty languages, which are half of what a thread would have to parse. */
const ENGLISH_ONLY: Plugin = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** Of Node's own modules those that threads need too, and what of them is used here. */
const WITH_THREADS: Readonly<Record<string, readonly string[]>> = {
  "node:crypto": ["createHash", "randomBytes", "randomFillSync", "randomUUID"],
};

/**
 * Node ends a process whose thread loads one of these when the process began with a start-up snapshot that has loaded it
 * already (it asserts that templates of the isolate are not there yet). So they are loaded by their first call.
 */
const AT_FIRST_CALL: Plugin = {
  name: "at-first-call",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => (path in WITH_THREADS ? { path, namespace: "at-first-call" } : undefined));
    onLoad({ filter: /.*/, namespace: "at-first-call" }, ({ path }) => ({
      contents: (WITH_THREADS[path] ?? [])
        .map((name) => `export const ${name} = (...given) => process.getBuiltinModule("${path}").${name}(...given);`)
        .join("\n"),
      loader: "js",
    }));
  },
};

/**
 * The sources as one file for the program and one for its threads, the same for the binary, Node and Deno. In CommonJS,
 * since there a module that nobody has come to yet costs nothing, Node's own included, and V8 keeps what it compiled.
 */
export const bundle: Step = {
  name: "bundle",
  inputs: ["src", "wasm/javascript/prelude", "LICENSE", "package.json", "package-lock.json", "build/bundle.ts", "build/licences.ts", "build/versions.ts", "build/notices"],
  after: ["wheel", "web"],
  outputs: ["dist/belljar.cjs", "dist/worker.cjs", "dist/guests/licences.pack", "dist/guests/versions.json"],
  async run() {
    const { build } = await import("esbuild");
    const { encodePack } = await import("../src/host/files/pack.ts");
    const { licenceFiles } = await import("./licences.ts");
    const { versionsInside } = await import("./versions.ts");
    const { metafile, errors } = await build({
      entryPoints: { belljar: join(ROOT, "src", "main.ts"), worker: join(ROOT, "src", "sandbox", "worker.ts") },
      outdir: DIST,
      outExtension: { ".js": ".cjs" },
      absWorkingDir: ROOT,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node26",
      charset: "utf8",
      minify: true,
      legalComments: "none",
      metafile: true,
      logLevel: "warning",
      plugins: [ENGLISH_ONLY, AT_FIRST_CALL],
      define: { "import.meta.url": "__url" },
      banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
    });
    if (errors.length > 0) throw new BuildError("The sources could not be bundled.");
    mkdirSync(GUESTS, { recursive: true });
    writeFileSync(join(GUESTS, "licences.pack"), encodePack(await licenceFiles(Object.keys(metafile.inputs))));
    writeFileSync(join(GUESTS, "versions.json"), `${JSON.stringify(versionsInside(), null, 1)}\n`);
  },
};
