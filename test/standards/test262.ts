import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** One test of Test262, by what its front matter says. */
export interface StandardTest {
  readonly path: string;
  /** The turn that runs it as the user's own code. */
  readonly turn: string;
  /** The turn that runs it as a script, by an indirect eval. */
  readonly script: string;
  readonly isAsync: boolean;
  /** The name of the error that it is to end in. */
  readonly negative?: string;
}

/** What has nothing to run on here: modules, other realms and agents, and parts of the language that the engine lacks as a whole. */
const NOT_HERE = /\$262\.(?:createRealm|agent|IsHTMLDDA|AbstractModuleSource)|\bimport\.meta\b|\bimport\(|\bimport\.(?:defer|source)/;
export const LACKING = ["Temporal", "Atomics", "SharedArrayBuffer", "ShadowRealm"] as const;
const HOST = `globalThis.print = (text) => console.log(text);
globalThis.$262 = { global: globalThis, gc() {}, evalScript: (text) => (0, eval)(text), detachArrayBuffer: (buffer) => void buffer.transfer() };`;

/** Every n-th of the tests beneath `test/<folder>` of a checkout, in the order of their paths, that have something to run on. */
export function readTests(checkout: string, folder: string, every: number): StandardTest[] {
  const root = join(checkout, "test");
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".js") && !file.name.includes("_FIXTURE"))
    .map((file) => join(file.parentPath, file.name))
    .sort();
  return files.filter((_, index) => index % every === 0).flatMap((file) => readTest(checkout, root, file));
}

function readTest(checkout: string, root: string, file: string): StandardTest[] {
  const source = readFileSync(file, "utf8");
  const matter = /\/\*---([^]*?)---\*\//.exec(source)?.[1] ?? "";
  const flags = listOf(matter, "flags");
  const lacks = LACKING.some((name) => listOf(matter, "features").includes(name) || file.includes(`/${name}/`));
  if (lacks || flags.some((flag) => /^(?:module|CanBlock)/.test(flag)) || NOT_HERE.test(source)) return [];
  const isAsync = flags.includes("async");
  const names = flags.includes("raw") ? [] : ["assert.js", "sta.js", ...(isAsync ? ["doneprintHandle.js"] : []), ...listOf(matter, "includes")];
  const harness = names.map((name) => readFileSync(join(checkout, "harness", name), "utf8")).join("\n");
  const strict = flags.includes("onlyStrict") ? '"use strict";\n' : "";
  const text = `${strict}${HOST}\n${harness}\n${source}`;
  const negative = /negative:[^]*?type:\s*(\w+)/.exec(matter)?.[1];
  const path = relative(root, file);
  return [{ path, turn: text, script: `(0, eval)(${JSON.stringify(text)});`, isAsync, ...(negative === undefined ? {} : { negative }) }];
}

/** A list of the front matter's YAML, on one line or with a line for each. */
function listOf(matter: string, name: string): string[] {
  const inline = new RegExp(`^\\s*${name}:\\s*\\[([^\\]]*)\\]`, "m").exec(matter)?.[1];
  if (inline !== undefined) return inline.split(",").map((item) => item.trim()).filter((item) => item !== "");
  const lines = new RegExp(`^\\s*${name}:\\s*\\n((?:\\s+- .*\\n?)+)`, "m").exec(matter)?.[1] ?? "";
  return [...lines.matchAll(/- (.*)/g)].map(([, item = ""]) => item.trim());
}
