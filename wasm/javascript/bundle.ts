import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { BelljarError } from "../../src/base/errors.ts";

const PRELUDE = fileURLToPath(new URL("prelude/main.ts", import.meta.url));
const PROCESS = fileURLToPath(new URL("prelude/node/process.ts", import.meta.url));

const ITERATORS = fileURLToPath(new URL("prelude/iterators.ts", import.meta.url));

/** What the library that shows values does for want of V8's own functions, and what serves this engine better. */
const REPLACEMENTS = [
  // An array's further keys come after its items, so that items need not be looked at.
  {
    replaced: "getOwnNonIndexProperties:function(t,e=2){const n=a(t),r=[];for(const[t,o]of s(n))",
    by:
      "getOwnNonIndexProperties:function(t,e=2){const r=[],k=Reflect.ownKeys(t);let i=k.length;" +
      'while(i>0&&!(typeof k[i-1]==="string"&&/^(0|[1-9][0-9]*)$/.test(k[i-1])))i--;' +
      "for(const x of k.slice(i)){if(2!==e||Object.prototype.propertyIsEnumerable.call(t,x))r.push(x)}return r;const n={};for(const[t,o]of s(n))",
  },
  { replaced: "previewEntries:t=>[[],!1]", by: `previewEntries:(t,e)=>[e?require(${JSON.stringify(ITERATORS)}).previewEntries(t):[],!1]` },
  // The engine tells no promise's state: what is certain is that nothing has awaited it here.
  { replaced: '"<pending>"', by: '"<not awaited>"' },
] as const;

const fittedInspect: Plugin = {
  name: "fitted-inspect",
  setup(builder) {
    builder.onLoad({ filter: /node-inspect-extracted[\\/]dist[\\/]inspect\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      let contents = text;
      for (const { replaced, by } of REPLACEMENTS) {
        if (contents.split(replaced).length !== 2) throw new BelljarError("BAD_MODULE", "node-inspect-extracted is not the version that is known here");
        contents = contents.replace(replaced, () => by);
      }
      return { contents, loader: "js" };
    });
  },
};

/** Globals that the prelude keeps for itself, whatever the code puts under their names. */
const KEPT = [
  "Array", "ArrayBuffer", "BigInt", "Boolean", "Date", "Error", "Function", "JSON", "Map", "Math", "Number", "Object", "Promise",
  "RangeError", "Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError", "TypeError", "Uint8Array", "WeakMap", "WeakSet",
];

/** The prelude and its libraries as one script. */
export async function bundlePrelude(): Promise<string> {
  const result = await build({
    entryPoints: [PRELUDE],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["belljar:*"],
    // The rest of this library comes as modules of the language's own; one copy of its parser is enough.
    alias: { "sucrase/dist/parser": "sucrase/dist/esm/parser" },
    // Every byte of source is in the image, and copied for each sandbox; names that show are set (names.ts).
    minify: true,
    target: "es2024",
    // The tsconfig of the prelude maps libraries to their types, which a bundler must not follow.
    tsconfigRaw: {},
    // What libraries call the global process is the harmless one.
    inject: [PROCESS],
    // The engine has no Atomics, of which the library that shows values wants a list when it loads.
    banner: { js: `globalThis.Atomics = {}; const { ${KEPT.join(", ")} } = globalThis;` },
    plugins: [fittedInspect],
  });
  return result.outputFiles[0]?.text ?? "";
}
