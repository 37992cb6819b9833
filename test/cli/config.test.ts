import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SCHEMA_FILE, schemaText } from "../../build/readme.ts";
import { parseCommandLine, readSettings } from "../../src/cli/flags.ts";
import { realFolder } from "../host/mounts/mounted.ts";

/** The settings of a config file, in a folder of its own. */
function withConfig<Value>(content: unknown, act: (read: (args?: readonly string[], env?: Record<string, string>) => ReturnType<typeof readSettings>, folder: string) => Value): Value {
  using folder = realFolder();
  const file = join(folder.path, "belljar.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return act((args = [], env = {}) => readSettings(parseCommandLine([`--config=${file}`, ...args]).values, env), folder.path);
}

test("a config file holds every kind of flag", () => {
  const content = { $schema: "./schema.json", "timeout-ms": 5_000, answer: "text", "allow-read": ["data", "/srv/a,b:/mnt/ab"], "allow-env": ["A"], audit: "audit.jsonl" };
  withConfig(content, (read, folder) => {
    const { limits, answer, grants, audit } = read([], { A: "1" });
    assert.deepEqual([limits.timeout, answer, audit, grants.env], [5_000, "text", join(folder, "audit.jsonl"), { A: "1" }]);
    assert.deepEqual(grants.folders, [
      { host: join(folder, "data"), guest: "/mnt/data", writable: false },
      { host: "/srv/a,b", guest: "/mnt/ab", writable: false },
    ]);
  });
});

test("flags win over variables, and these over the file", () => {
  withConfig({ "timeout-ms": 1_000, "allow-read": ["/in-file"] }, (read) => {
    assert.equal(read().limits.timeout, 1_000);
    assert.equal(read([], { BELLJAR_TIMEOUT_MS: "2000" }).limits.timeout, 2_000);
    const both = read(["--timeout-ms=3000", "--allow-read=/in-flag"], { BELLJAR_TIMEOUT_MS: "2000" });
    assert.deepEqual([both.limits.timeout, both.grants.folders.map(({ host }) => host)], [3_000, ["/in-flag"]]);
  });
});

test("a variable names the file too", () => {
  using folder = realFolder();
  const file = join(folder.path, "b.json");
  writeFileSync(file, '{"timeout-ms": 7}');
  assert.equal(readSettings(new Map(), { BELLJAR_CONFIG: file }).limits.timeout, 7);
});

test("what no flag is, is refused with the known ones named", () => {
  const refuses = (content: unknown, message: RegExp): void => withConfig(content, (read) => void assert.throws(() => read(), { code: "BAD_ARGUMENT", message }));
  refuses({ "timeout-ms": 1, timeout: 1, fule: 2 }, /belljar\.json has unknown keys "timeout", "fule"\. Known keys: timeout-ms, fuel, /);
  refuses({ config: "other.json" }, /has unknown key "config"\./);
  refuses({ "timeout-ms": "5" }, /^"timeout-ms" in .*belljar\.json must be a number, and was the string "5"\.$/);
  refuses({ "timeout-ms": 1.5 }, /^"timeout-ms" in .* must be a whole number of ms, and was "1\.5"\.$/);
  refuses({ "timeout-ms": 0 }, /^"timeout-ms" in .* must be between 1 and 3,600,000 ms, and was 0\.$/);
  refuses({ "allow-read": "data" }, /^"allow-read" in .* must be an array of strings, and was the string "data"\.$/);
  refuses({ answer: "all" }, /^"answer" in .* must be one of /);
  refuses("[]", /can't be used: it is no JSON object\.$/);
  refuses("{", /can't be used: /);
});

test("the published schema is the one that the flags make", () => {
  assert.equal(readFileSync(SCHEMA_FILE, "utf8"), schemaText(), "run node build.mjs readme");
  const { properties } = JSON.parse(schemaText());
  assert.deepEqual(properties["fuel"], { description: "WebAssembly instructions of one run (1,000,000 to 1,000,000,000,000,000 instructions)", type: "integer", minimum: 1_000_000, maximum: 1_000_000_000_000_000 });
  assert.equal(properties["allow-read"].type, "array");
  assert.ok(!("config" in properties));
});
