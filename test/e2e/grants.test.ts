import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { realFolder } from "../host/mounts/mounted.ts";
import { connect, ON_DENO } from "./driver.ts";

const useSchema = z.object({ time: z.iso.datetime(), sandbox: z.string(), what: z.string(), name: z.string(), times: z.int(), bytes: z.int() });
/** Deno's own rights are given when the command is started, and the tests' command has none for these folders and variables. */
const options = { skip: ON_DENO && "the tests' Deno may open no folder and see no variable" };
/** Workbooks and charts take their time on a busy machine. */
const PATIENT = "--timeout-ms=300000";

test("a folder with a table and a workbook is read, and a chart written back beside them", options, async () => {
  using folder = realFolder();
  const [data, out] = [join(folder.path, "data"), join(folder.path, "out")];
  for (const path of [data, out]) mkdirSync(path);
  writeFileSync(join(data, "sales.csv"), "month,sum\n1,12000\n2,13500\n3,15100\n");
  const audit = join(folder.path, "audit.jsonl");
  await using writer = await connect([PATIENT, `--allow-write=${data}`]);
  const made = await writer.run("python", "import pandas as pd\npd.DataFrame({'month': [1, 2, 3], 'cost': [7000, 7100, 7300]}).to_excel('/mnt/data/costs.xlsx', index=False)");
  assert.equal(made.status, "ok", JSON.stringify(made.error));
  await using server = await connect([PATIENT, `--allow-read=${data}`, `--allow-write=${out}:/mnt/results`, `--audit=${audit}`]);
  const outcome = await server.run(
    "python",
    `import pandas as pd, matplotlib.pyplot as plt
both = pd.read_csv("/mnt/data/sales.csv").merge(pd.read_excel("/mnt/data/costs.xlsx"))
both.plot(x="month")
plt.savefig("/mnt/results/chart.png")
plt.close()
(both["sum"] - both["cost"]).tolist()`,
  );
  assert.deepEqual([outcome.status, outcome.result], ["ok", [5000, 6400, 7800]], JSON.stringify(outcome.error));
  assert.equal(readFileSync(join(out, "chart.png")).subarray(1, 4).toString(), "PNG");
  const fromJavascript = await server.run("javascript", 'require("fs").readFileSync("/mnt/data/sales.csv", "utf8").split("\\n")[1]');
  assert.equal(fromJavascript.result, "1,12000");
  const uses = readFileSync(audit, "utf8").trimEnd().split("\n").map((line) => useSchema.parse(JSON.parse(line)));
  const told = new Map(uses.map(({ what, name, bytes }) => [`${what} ${name}`, bytes]));
  assert.equal(told.get("read /mnt/data/sales.csv"), readFileSync(join(data, "sales.csv")).length);
  assert.equal(told.get("write /mnt/results/chart.png"), readFileSync(join(out, "chart.png")).length);
  assert.ok(told.has("read /mnt/data/costs.xlsx") && told.has("make /mnt/results/chart.png"));
});

test("each step without its flag says which flag would allow it", options, async () => {
  using folder = realFolder();
  writeFileSync(join(folder.path, "a.csv"), "a\n1\n");
  await using sealed = await connect();
  const unseen = await sealed.run("python", `import pandas as pd\npd.read_csv("${folder.path}/a.csv")`);
  assert.equal(unseen.error?.type, "FileNotFoundError");
  assert.match(unseen.notes?.join(" ") ?? "", /can open its folder with --allow-read=DIR, or --allow-write=DIR to write too\./);
  const inJavascript = await sealed.run("javascript", `require("fs").readFileSync("${folder.path}/a.csv")`);
  assert.match(inJavascript.notes?.join(" ") ?? "", /--allow-read=DIR/);
  const variable = await sealed.run("python", "import os\nos.environ['API_TOKEN']");
  assert.match(variable.notes?.join(" ") ?? "", /--allow-env=API_TOKEN\./);
  const variableInJavascript = await sealed.run("javascript", "process.env.API_TOKEN");
  assert.match(variableInJavascript.notes?.join(" ") ?? "", /--allow-env=API_TOKEN\./);
  const module = await sealed.run("python", "import shout");
  assert.match(module.notes?.join(" ") ?? "", /belljar packages add shout --packages=DIR/);
  const moduleInJavascript = await sealed.run("javascript", 'require("shout")');
  assert.match(moduleInJavascript.error?.message ?? "", /belljar packages add npm:shout --packages=DIR/);

  await using reader = await connect([`--allow-read=${folder.path}:/mnt/data`]);
  for (const [language, code] of [["python", 'open("/mnt/data/b.csv", "w")'], ["javascript", 'require("fs").writeFileSync("/mnt/data/b.csv", "")']] as const) {
    const refused = await reader.run(language, code);
    assert.match(refused.notes?.join(" ") ?? "", new RegExp(`--allow-write=${folder.path}:/mnt/data\\.`));
  }
  const elsewhere = await reader.run("python", `open("${folder.path}/a.csv")`);
  assert.match(elsewhere.notes?.join(" ") ?? "", /is at \/mnt\/data here: use \/mnt\/data\/a\.csv\./);
  assert.deepEqual(readdirSync(folder.path), ["a.csv"]);
});

test("a variable that is passed is seen by both languages, and no other is", options, async () => {
  await using server = await connect(["--allow-env=TOKEN"], "e2e", { TOKEN: "t0ken", OTHER: "secret" });
  const python = await server.run("python", "import os\n[os.environ['TOKEN'], os.getenv('OTHER'), any('secret' in v for v in os.environ.values())]");
  assert.deepEqual(python.result, ["t0ken", null, false]);
  const javascript = await server.run("javascript", "[process.env.TOKEN, process.env.OTHER ?? null, Object.keys(process.env)]");
  assert.deepEqual(javascript.result, ["t0ken", null, ["TOKEN"]]);
});

test("packages of the user's are imported by both languages, and code for one machine is refused", options, async () => {
  using folder = realFolder();
  mkdirSync(join(folder.path, "shout"));
  writeFileSync(join(folder.path, "shout/__init__.py"), "def shout(text): return text.upper()\n");
  writeFileSync(join(folder.path, "fast-1.0-cp315-cp315-linux_x86_64.whl"), "");
  const modules = join(folder.path, "node_modules");
  mkdirSync(join(modules, "whisper/lib"), { recursive: true });
  writeFileSync(join(modules, "whisper/package.json"), JSON.stringify({ name: "whisper", version: "1.2.3", type: "module", exports: { ".": { import: "./lib/main.js" } } }));
  writeFileSync(join(modules, "whisper/lib/main.js"), 'import { low } from "./low.js";\nexport default (text) => low(text);\nexport { low };\n');
  writeFileSync(join(modules, "whisper/lib/low.js"), "export const low = (text) => text.toLowerCase();\n");
  await using server = await connect([`--packages=${folder.path}`]);
  assert.equal((await server.run("python", "import shout\nshout.shout('hi')")).result, "HI");
  assert.deepEqual((await server.run("javascript", 'import whisper, { low } from "whisper";\n[whisper("HI"), low("LOW")]')).result, ["hi", "low"]);
  const refused = await server.run("python", "import fast");
  assert.match(refused.notes?.join(" ") ?? "", /fast is among the user's packages, but can't be used here: .* holds native code/);
  const sealed = await server.run("python", "open('/usr/local/lib/packages/new.py', 'w')");
  assert.match(sealed.error?.message ?? "", /Read-only file system/);
  const listing = JSON.parse(String(await server.read("belljar://packages")));
  assert.deepEqual(listing.packages, [{ name: "shout", language: "python" }, { name: "whisper", version: "1.2.3", language: "javascript" }]);
  assert.equal(listing.refused[0].name, "fast");
});

test("a folder of packages costs a run that imports none of them next to nothing", options, async () => {
  using folder = realFolder();
  for (let at = 0; at < 100; at += 1) writeFileSync(join(folder.path, `module${String(at)}.py`), `VALUE = ${String(at)}\n`);
  await using server = await connect([`--packages=${folder.path}`]);
  await using bare = await connect();
  for (const language of ["python", "javascript"] as const) {
    const [beside, without] = [await server.run(language, "1 + 1"), await bare.run(language, "1 + 1")];
    assert.deepEqual([beside.result, without.result], [2, 2]);
    const more = beside.usage.fuel / without.usage.fuel;
    assert.ok(more < 1.5, `${language}: ${more.toFixed(2)} times the fuel`);
  }
  assert.equal((await server.run("python", "import module7\nmodule7.VALUE")).result, 7);
});

test("a named sandbox that comes back with another folder of packages imports what is there now", options, async () => {
  using folder = realFolder();
  const run = async (packages: readonly string[], code: string): Promise<unknown> => {
    await using server = await connect([...packages.map((name) => `--packages=${join(folder.path, name)}`), `--state-dir=${join(folder.path, "state")}`]);
    const { result, error } = await server.run("python", code, { sandbox: "s" });
    return result ?? error?.message;
  };
  for (const name of ["one", "other"]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, `${name}.py`), "VALUE = __name__\n");
    // Python doesn't list a folder anew whose time is still the same.
    utimesSync(join(folder.path, name), 1, 1);
  }
  assert.equal(await run(["one"], "import one\none.VALUE"), "one");
  assert.equal(await run([], "import other"), "No module named 'other'");
  assert.equal(await run(["other"], "import other\nother.VALUE"), "other");
});

test("a file of a named sandbox that stays open is read on in its next run", options, async () => {
  using folder = realFolder();
  writeFileSync(join(folder.path, "lines.txt"), "one\ntwo\nthree\n");
  await using server = await connect([`--allow-read=${folder.path}:/mnt/data`]);
  const first = await server.run("python", "lines = open('/mnt/data/lines.txt')\nlines.readline()", { sandbox: "reader" });
  const second = await server.run("python", "[line.strip() for line in lines]", { sandbox: "reader" });
  assert.deepEqual([first.result, second.result], ["one\n", ["two", "three"]], JSON.stringify(second.error));
});
