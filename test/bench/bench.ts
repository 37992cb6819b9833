import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DIST, ROOT } from "../../build/paths.ts";
import { CHAPTERS } from "./chapters.ts";
import { setting } from "./machine.ts";
import { identity, openShelf } from "./measured.ts";
import { page, type Part } from "./page.ts";
import { findPeers, type Peer } from "./peers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    calls: { type: "string", default: "200" },
    growth: { type: "string", default: "10000" },
    only: { type: "string", default: "" },
    "no-peers": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});
let found: Promise<readonly Peer[]> | undefined;
const extent = {
  rounds: Number(values.rounds),
  calls: Number(values.calls),
  growth: Number(values.growth),
  peers: () => (found ??= values["no-peers"] ? Promise.resolve([]) : findPeers()),
};
const names = Object.keys(CHAPTERS);
const binary = identity();
const shelf = openShelf(join(DIST, "bench"), binary);

/** Those named; all; or, for the page, those that were not yet measured of this binary. */
function wanted(): readonly string[] {
  if (values.only !== "") return values.only.split(",");
  return values.page ? names.filter((name) => shelf.get(name) === undefined) : names;
}

const now = wanted();
for (const name of now) {
  const chapter = CHAPTERS[name];
  if (chapter === undefined) throw new Error(`there is no chapter ${name}; there are ${names.join(", ")}`);
  const [load = NaN] = loadavg();
  shelf.put(name, { setting: setting(binary), load, rows: await chapter.measure(extent) });
}

function parts(of: readonly string[]): readonly Part[] {
  return of.flatMap((name) => {
    const [chapter, measured] = [CHAPTERS[name], shelf.get(name)];
    return chapter === undefined || measured === undefined ? [] : [{ ...chapter, measured }];
  });
}

const told = parts(values.page ? names : now);
if (values.page) writeFileSync(join(ROOT, "docs", "BENCHMARKS.md"), page(told));
process.stdout.write(values.json ? `${JSON.stringify(told, undefined, 1)}\n` : page(told));
