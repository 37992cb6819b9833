import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judge } from "./judge.ts";
import { type Folder, paperOf } from "./paper.ts";
import { LACKING, readTests } from "./test262.ts";
import { runPieces } from "./wpt.ts";

const { values } = parseArgs({
  options: { test262: { type: "string" }, wpt: { type: "string" }, every: { type: "string", default: "8" } },
});
if (values.test262 === undefined || values.wpt === undefined) {
  process.stderr.write("Name both checkouts: --test262=DIR --wpt=DIR [--every=N]\n");
  process.exit(2);
}

const every = Number(values.every);
const folders: Folder[] = [];
for (const [folder, as] of [["built-ins", "script"], ["language", "turn"]] as const) {
  const share = as === "turn" ? every * 4 : every;
  const failing: (readonly [string, string])[] = [];
  const tests = readTests(values.test262, folder, share);
  for (const test of tests) {
    const cause = await judge(test, as);
    if (cause !== undefined) failing.push([test.path, cause]);
  }
  folders.push({ folder: `test/${folder}`, as, every: share, ran: tests.length, failing });
}
writeFileSync(new URL("../../docs/conformance.md", import.meta.url), paperOf(folders, await runPieces(values.wpt), LACKING));
