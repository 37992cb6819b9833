import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIST, GUESTS, ROOT } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** The sources as one file for the program and one for its threads, the same for the binary, Node and Deno. */
export const bundle: Step = {
  name: "bundle",
  inputs: ["src", "wasm/javascript/prelude", "LICENSE", "package.json", "package-lock.json", "build/bundle.ts", "build/licences.ts", "build/versions.ts", "build/notices"],
  after: ["wheel", "guests"],
  outputs: ["dist/belljar.mjs", "dist/worker.mjs", "dist/guests/licences.pack", "dist/guests/versions.json"],
  async run() {
    const { build } = await import("esbuild");
    const { encodePack } = await import("../src/host/files/pack.ts");
    const { licenceFiles } = await import("./licences.ts");
    const { versionsInside } = await import("./versions.ts");
    const { metafile, errors } = await build({
      entryPoints: { belljar: join(ROOT, "src", "main.ts"), worker: join(ROOT, "src", "sandbox", "worker.ts") },
      outdir: DIST,
      outExtension: { ".js": ".mjs" },
      absWorkingDir: ROOT,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node26",
      charset: "utf8",
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: "none",
      metafile: true,
      logLevel: "warning",
      // Packages in CommonJS ask for Node's own modules by a `require` that an ES module doesn't have.
      banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
    });
    if (errors.length > 0) throw new BuildError("The sources could not be bundled.");
    mkdirSync(GUESTS, { recursive: true });
    writeFileSync(join(GUESTS, "licences.pack"), encodePack(await licenceFiles(Object.keys(metafile.inputs))));
    writeFileSync(join(GUESTS, "versions.json"), `${JSON.stringify(versionsInside(), null, 1)}\n`);
  },
};
