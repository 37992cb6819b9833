import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { packages } from "../../src/cli/packages.ts";
import { readPackages } from "../../src/host/packages/inventory.ts";
import { realFolder } from "../host/mounts/mounted.ts";

const has = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const withPip = { skip: !has("python3", "-m", "pip", "--version") && "there is no pip" };
const withNpm = { skip: !has("npm", "--version") && "there is no npm" };

/** A wheel of one module, as an index would have it. */
function writeWheel(folder: string, name: string, version: string, { tag = "py3-none-any", needs = [] }: { readonly tag?: string; readonly needs?: readonly string[] } = {}): void {
  const info = `${name}-${version}.dist-info`;
  const files = {
    [`${name}/__init__.py`]: `name = ${JSON.stringify(name)}\n`,
    [`${info}/METADATA`]: ["Metadata-Version: 2.1", `Name: ${name}`, `Version: ${version}`, ...needs.map((need) => `Requires-Dist: ${need}`), ""].join("\n"),
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: ${tag}\n`,
    [`${info}/RECORD`]: `${name}/__init__.py,,\n`,
  };
  writeFileSync(join(folder, `${name}-${version}-${tag}.whl`), zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))));
}

/** Runs the command against an index that is a folder. */
async function add(names: readonly string[], folder: string, index: string): Promise<string> {
  const out: string[] = [];
  const sink = { write: (text: unknown) => (out.push(String(text)), true) };
  const env = { ...process.env, PIP_NO_INDEX: "1", PIP_FIND_LINKS: index, npm_config_offline: "true" };
  await packages({ args: ["add", ...names, `--packages=${folder}`], env, stdin: process.stdin, stdout: sink, stderr: sink });
  return out.join("");
}

test("a Python package comes with all it stands on, but what is inside the guest, and is locked by its hash", withPip, async () => {
  using folder = realFolder();
  const [index, target] = [join(folder.path, "index"), join(folder.path, "packages")];
  mkdirSync(index);
  writeWheel(index, "upper", "1.0", { needs: ["lower>=2", "numpy"] });
  writeWheel(index, "lower", "2.1");
  const said = await add(["upper"], target, index);
  assert.match(said, /added upper 1\.0\n/);
  assert.match(said, /Start Belljar with --packages=/);
  assert.deepEqual(readdirSync(target).toSorted(), ["belljar-packages.lock.json", "lower", "lower-2.1.dist-info", "upper", "upper-1.0.dist-info"]);
  const { packages: locked } = JSON.parse(readFileSync(join(target, "belljar-packages.lock.json"), "utf8"));
  assert.deepEqual(locked.map(({ name, version, language }: Record<string, string>) => [name, version, language]), [["lower", "2.1", "python"], ["upper", "1.0", "python"]]);
  for (const { hash } of locked) assert.match(hash, /^sha256-[0-9a-f]{64}$/);
  assert.deepEqual(readPackages(target).inside.map(({ name, version }) => [name, version]), [["lower", "2.1"], ["upper", "1.0"]]);
  writeWheel(index, "upper", "1.1");
  await add(["upper==1.1"], target, index);
  assert.deepEqual(readPackages(target).inside.map(({ name, version }) => [name, version]).at(-1)?.[0], "upper");
});

test("a wheel for one kind of machine is refused with its name", withPip, async () => {
  using folder = realFolder();
  const index = join(folder.path, "index");
  mkdirSync(index);
  const machine = execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_platform().replace('-', '_').replace('.', '_'))"], { encoding: "utf8" }).trim();
  writeWheel(index, "fast", "1.0", { tag: `py3-none-${machine}` });
  await assert.rejects(add(["fast"], join(folder.path, "packages"), index), { code: "REFUSED", message: /^fast is not added: fast-1\.0-py3-none-\w+\.whl holds native code for one kind of machine/ });
  await assert.rejects(add(["absent"], join(folder.path, "packages"), index), { code: "REFUSED", message: /^pip could not do it\. It said:\n.*absent/s });
  assert.deepEqual(readdirSync(join(folder.path, "packages")), []);
});

test("a JavaScript package is put into node_modules, without running its scripts, and one with native code is refused", withNpm, async () => {
  using folder = realFolder();
  const source = (name: string, more: object = {}): string => {
    const path = join(folder.path, name);
    mkdirSync(path);
    writeFileSync(join(path, "package.json"), JSON.stringify({ name, version: "1.0.0", scripts: { install: `touch ${join(folder.path, "ran")}` }, ...more }));
    writeFileSync(join(path, "index.js"), "module.exports = 1;\n");
    return path;
  };
  const pack = (path: string): string => join(folder.path, execFileSync("npm", ["pack", path, "--silent"], { cwd: folder.path, encoding: "utf8" }).trim());
  const target = join(folder.path, "packages");
  await add([`npm:${pack(source("plain"))}`], target, folder.path);
  assert.deepEqual(readPackages(target).inside, [{ name: "plain", version: "1.0.0", language: "javascript" }]);
  assert.match(readFileSync(join(target, "belljar-packages.lock.json"), "utf8"), /"hash": "sha512-/);
  const native = source("gyp");
  writeFileSync(join(native, "binding.gyp"), "{}");
  await assert.rejects(add([`npm:${pack(native)}`], join(folder.path, "other"), folder.path), { code: "REFUSED", message: /^gyp is not added: it holds native code \(binding\.gyp\)/ });
  assert.ok(!existsSync(join(folder.path, "ran")) && !existsSync(join(folder.path, "other/node_modules")));
});
