import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { BelljarError, messageOf } from "../../base/errors.ts";
import { PACKAGES_PLACE, type PackageInfo, type PackagesGrant } from "../../policy/grants.ts";
import { refusals } from "../../policy/sentences.ts";
import { findNative } from "./native.ts";

/** A package that was found; with a reason when code can't import it. */
interface Found extends PackageInfo {
  readonly reason?: string | undefined;
  /** A wheel's, which is a place to import from of its own. */
  readonly wheel?: string;
}

const DIST_INFO = /^(\w[\w.]*)-(\w[\w.!+]*)\.dist-info$/;
const WHEEL = /^(\w[\w.]*)-(\w[\w.!+]*)(?:-\d\w*)?-[\w.]+-([\w.]+)-([\w.]+)\.whl$/;
const MODULE = /^([A-Za-z_]\w*)(?:\.py)?$/;
const NODE_MODULE = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/;
/** Names and versions are read out to the model: what is neither is left out, so that it says nothing else. */
const VERSION = /^[\w.+-]{1,64}$/;
/** Of a package's own files, none that is read here is larger. */
const MOST_BYTES = 4 * 1_024 * 1_024;

/**
 * What is in a folder of packages: Python's at its top (folders, modules, wheels), JavaScript's in `node_modules`.
 * @throws BelljarError REFUSED when it can't be read.
 */
export function readPackages(folder: string): PackagesGrant {
  try {
    const host = realpathSync.native(folder);
    const names = readdirSync(host).sort();
    const found = [...readWheels(names), ...readFolders(host, names), ...readNodeModules(join(host, "node_modules"))];
    const usable = found.filter(({ reason }) => reason === undefined);
    return {
      host,
      path: [PACKAGES_PLACE, ...usable.flatMap(({ wheel }) => (wheel === undefined ? [] : [`${PACKAGES_PLACE}/${wheel}`]))],
      inside: usable.map(({ name, version, language }) => ({ name, version, language })),
      refused: found.flatMap(({ name, language, reason }) => (reason === undefined ? [] : [{ name, language, reason }])),
    };
  } catch (cause) {
    throw new BelljarError("REFUSED", refusals.badPackages(folder, messageOf(cause)), { cause });
  }
}

/** Wheels say in their names what they are for. */
function readWheels(names: readonly string[]): Found[] {
  return names.flatMap((wheel) => {
    const [, name, version, abi, platform] = WHEEL.exec(wheel) ?? [];
    if (name === undefined) return [];
    const reason = abi === "none" && platform === "any" ? undefined : refusals.nativeWheel(wheel);
    return [{ name, version, language: "python" as const, wheel, reason }];
  });
}

/** Installed packages by their records, and what else can be imported by its name. */
function readFolders(host: string, names: readonly string[]): Found[] {
  const installed = names.flatMap((folder) => {
    const [, name, version] = DIST_INFO.exec(folder) ?? [];
    return name === undefined ? [] : [{ name, version, tops: topsOf(join(host, folder, "RECORD")) }];
  });
  const recorded = new Set(installed.flatMap(({ tops }) => tops));
  const loose = names.filter((each) => MODULE.test(each) && each !== "node_modules" && !recorded.has(each) && (each.endsWith(".py") || existsSync(join(host, each, "__init__.py"))));
  return [
    ...installed.map(({ name, version, tops }) => ({ name, version, language: "python" as const, reason: nativeIn(host, tops) })),
    ...loose.map((each) => ({ name: each.replace(/\.py$/, ""), language: "python" as const, reason: nativeIn(host, [each]) })),
  ];
}

/** What a package has put at the top, by its record of files. */
function topsOf(record: string): string[] {
  const lines = textOf(record).split("\n");
  return [...new Set(lines.map((line) => line.split(",")[0]?.split("/")[0] ?? "").filter((top) => MODULE.test(top)))];
}

function readNodeModules(folder: string): Found[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => (name.startsWith("@") ? foldersIn(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]))
    .filter((name) => NODE_MODULE.test(name) && isFolder(join(folder, name)));
  return names.sort().map((name) => {
    const version = versionIn(textOf(join(folder, name, "package.json")));
    const native = findNative(join(folder, name), "node_modules");
    return { name, version, language: "javascript" as const, reason: native && refusals.nativeFile(native) };
  });
}

function foldersIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder) : [];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A file's text; empty when there is none, or what is there is no plain file of a sane size. */
function textOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= MOST_BYTES ? readFileSync(path, "utf8") : "";
}

function versionIn(manifest: string): string | undefined {
  try {
    const { version }: { version?: unknown } = Object(JSON.parse(manifest));
    return typeof version === "string" && VERSION.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

function nativeIn(host: string, tops: readonly string[]): string | undefined {
  for (const top of tops) {
    const native = top.endsWith(".py") || !isFolder(join(host, top)) ? undefined : findNative(join(host, top));
    if (native !== undefined) return refusals.nativeFile(`${top}/${native}`);
  }
  return undefined;
}
