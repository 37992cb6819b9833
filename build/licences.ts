import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { build } from "esbuild";
import type { Pack } from "../src/host/files/pack.ts";
import { nodePackage, type Package, packageAt, packagesOf } from "./packages.ts";
import { ROOT, WEB_LICENCES } from "./paths.ts";
import { BuildError } from "./step.ts";

/** A file that a package tells its terms in. */
const TERMS = /^(licen[cs]e|copying|notice|authors)([.-].*)?$/i;
/** Part of the JavaScript guest without being bundled: it holds the QuickJS that the prelude runs on. */
const RUNTIME = "node_modules/componentize-qjs";

/**
 * The terms of all that is distributed, by path: Belljar's own, those of each npm package, of Node, of
 * the QuickJS in the JavaScript guest, and of everything in the Python guest.
 * @param bundled files that the program was bundled from, relative to the checkout
 * @throws BuildError when a package tells none
 */
export async function licenceFiles(bundled: readonly string[]): Promise<Pack> {
  const packages = packagesOf([...bundled, ...(await preludeFiles())]);
  const files = new Map<string, Uint8Array>([["belljar/LICENSE", readFileSync(join(ROOT, "LICENSE"))]]);
  for (const from of [...packages, packageAt(RUNTIME), nodePackage()]) {
    for (const [path, bytes] of termsOf(from)) files.set(path, bytes);
  }
  for (const [folder, name] of [["build/notices", "javascript"], ["dist/wheel/LICENSES", "python"]] as const) {
    for (const file of readdirSync(join(ROOT, folder)).sort()) files.set(`${name}/${file}`, readFileSync(join(ROOT, folder, file)));
  }
  for (const path of globSync("*/**", { cwd: WEB_LICENCES, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const file = join(path.parentPath, path.name);
    files.set(`python/${relative(WEB_LICENCES, file).split(sep).join(posix.sep)}`, readFileSync(file));
  }
  return files;
}

function termsOf({ folder, name, version }: Package): [string, Uint8Array][] {
  const found = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile() && TERMS.test(entry.name));
  if (found.length === 0) throw new BuildError(`The package ${name} has no licence file; say in build/licences.ts where its terms are.`);
  return found.map((file) => [`npm/${name}-${version}/${file.name}`, readFileSync(join(ROOT, folder, file.name))]);
}

/** The files that the JavaScript guest's prelude is bundled from. */
async function preludeFiles(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, "wasm", "javascript", "prelude", "main.ts")],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["belljar:*"],
    tsconfigRaw: {},
    logLevel: "error",
  });
  return Object.keys(metafile.inputs);
}
