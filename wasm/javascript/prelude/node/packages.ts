import { watch } from "../intrinsics.ts";
import path from "path-browserify";
import { transform } from "sucrase";
import { nextLine, register } from "../stack.ts";
import { ask, list, stat } from "./files.ts";

/** Where the packages are that the user lets code import. */
const PACKAGES = "/usr/local/lib/packages";
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".json", "/index.js", "/index.mjs", "/index.cjs"];
/** Conditions of a package's exports, in two rounds: what needs no rewriting first. */
const CONDITIONS = [new Set(["require", "default"]), new Set(["import", "module", "default"])];

interface Module {
  exports: object;
}

interface Manifest {
  readonly main?: unknown;
  readonly module?: unknown;
  readonly exports?: unknown;
}

const loaded = new Map<string, Module>();
const globalEval = eval;

/**
 * The exports of a module that is no part of Node: a package of the user's by its bare name, or a file by its path.
 * Undefined when there is none.
 */
export function findModule(specifier: string, from: string, builtin: (name: string, from: string) => object): object | undefined {
  const file = resolve(specifier, from);
  return file === undefined ? undefined : run(file, builtin);
}

/** Names of the packages that are there, sorted. */
export function packageNames(): string[] {
  const folder = `${PACKAGES}/node_modules`;
  if (kindOf(folder) !== "directory") return [];
  return list(folder).flatMap(([name]) => (name.startsWith("@") ? list(`${folder}/${name}`).map(([inner]) => `${name}/${inner}`) : name.startsWith(".") ? [] : [name]));
}

function resolve(specifier: string, from: string): string | undefined {
  if (/^(?:\.{1,2}(?:\/|$)|\/)/.test(specifier)) return asFile(path.resolve(from, specifier)) ?? asFolder(path.resolve(from, specifier));
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === "") return undefined;
  for (const place of [...above(from), PACKAGES]) {
    const folder = `${place}/node_modules/${name}`;
    if (kindOf(folder) === "directory") return inPackage(folder, rest);
  }
  return undefined;
}

/** A folder and all above it, nearest first. */
function above(folder: string): string[] {
  const names = folder.split("/").filter(Boolean);
  return names.map((_, index) => `/${names.slice(0, names.length - index).join("/")}`);
}

function inPackage(folder: string, rest: string): string | undefined {
  const { exports } = manifestOf(folder);
  if (exports === undefined) return rest === "" ? asFolder(folder) : (asFile(folder + rest) ?? asFolder(folder + rest));
  const found = fromExports(exports, `.${rest}`);
  return found === undefined ? undefined : asFile(path.resolve(folder, found));
}

/** The target of a subpath, as Node resolves it. */
function fromExports(exports: unknown, subpath: string): string | undefined {
  const table = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith(".")) ? exports : { ".": exports };
  const [key, star] = Object.hasOwn(table, subpath) ? [subpath, ""] : patternFor(Object.keys(table), subpath);
  if (key === undefined) return undefined;
  for (const conditions of CONDITIONS) {
    const target = choose(table[key], conditions);
    if (target !== undefined) return target.replaceAll("*", star);
  }
  return undefined;
}

function patternFor(keys: readonly string[], subpath: string): readonly [key: string | undefined, star: string] {
  for (const key of keys.filter((each) => each.includes("*")).sort((one, other) => other.length - one.length)) {
    const [before = "", after = ""] = key.split("*");
    if (subpath.startsWith(before) && subpath.endsWith(after) && subpath.length >= key.length) {
      return [key, subpath.slice(before.length, subpath.length - after.length)];
    }
  }
  return [undefined, ""];
}

function choose(target: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) return target.map((each) => choose(each, conditions)).find((each) => each !== undefined);
  if (!isRecord(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = conditions.has(condition) ? choose(inner, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function asFile(place: string): string | undefined {
  return ENDINGS.map((ending) => place + ending).find((file) => kindOf(file) === "file");
}

function asFolder(folder: string): string | undefined {
  const { main, module } = manifestOf(folder);
  for (const entry of [main, module]) {
    const found = typeof entry === "string" ? asFile(path.resolve(folder, entry)) : undefined;
    if (found !== undefined) return found;
  }
  return asFile(`${folder}/index`);
}

function manifestOf(folder: string): Manifest {
  const file = `${folder}/package.json`;
  const manifest: unknown = kindOf(file) === "file" ? JSON.parse(textOf(file)) : {};
  return isRecord(manifest) ? manifest : {};
}

function kindOf(place: string): string | undefined {
  try {
    return stat(place, true).kind;
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  return String(ask("open", { op: "read", path: file, as: "text" }).ok);
}

/** Runs a module once; who asks for it meanwhile gets what it has exported so far. */
function run(file: string, builtin: (name: string, from: string) => object): object {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module: Module = { exports: {} };
  loaded.set(file, module);
  try {
    const text = textOf(file);
    if (file.endsWith(".json")) module.exports = JSON.parse(text);
    else evaluate(file, text, module, (name) => builtin(name, path.dirname(file)));
  } catch (error) {
    loaded.delete(file);
    throw error;
  }
  return module.exports;
}

function evaluate(file: string, text: string, module: Module, require: (name: string) => object): void {
  watch(text);
  const body = file.endsWith(".cjs") || !isModule(text) ? text : rewritten(file, text);
  const headLines = nextLine();
  register(body, { text: body, headLines, body, origin: (offset) => offset }, file);
  const main: unknown = globalEval(`${"\n".repeat(headLines)}(function (exports, require, module, __filename, __dirname) {${body}\n})`);
  if (typeof main === "function") Reflect.apply(main, module.exports, [module.exports, require, module, file, path.dirname(file)]);
}

function isModule(text: string): boolean {
  return /^[^\S\n]*(?:import[\s{*"'(]|export[\s{*])|;(?:import|export)[\s{*"']|\}export[\s{]|import\.meta/m.test(text);
}

/** Imports and exports as calls and properties that stay live, line by line as they were. */
function rewritten(file: string, text: string): string {
  const plain = text.replaceAll(/\bimport\.meta\b/g, `({url: ${JSON.stringify(`file://${file}`)}})`);
  const typed = /\.[cm]?ts$/.test(file) ? (["typescript"] as const) : [];
  return transform(plain, { transforms: ["imports", ...typed], disableESTransforms: true, preserveDynamicImport: false, filePath: file }).code;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
