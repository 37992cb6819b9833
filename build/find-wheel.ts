import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { mismatch, verify, type WheelPin } from "./lock.ts";
import { ROOT } from "./paths.ts";
import { BuildError, tell } from "./step.ts";

/** Commands that may be pip, the best first. */
const PIPS = [["python3", "-m", "pip"], ["pip3"], ["pip"], ["python", "-m", "pip"], ["py", "-m", "pip"]] as const;

/**
 * The bytes of a pinned wheel: from the path in BELLJAR_WHEEL when it is named there, else from the cache (BELLJAR_CACHE,
 * or `.cache` in the checkout), else by pip into that cache.
 * @throws BuildError saying what to do when there is none, or it is not the pinned one.
 */
export function findWheel(pin: WheelPin, { isNamed = true } = {}): Uint8Array {
  const given = isNamed ? process.env["BELLJAR_WHEEL"] : undefined;
  if (given !== undefined && given !== "") return readGiven(given, pin);
  const cache = resolve(process.env["BELLJAR_CACHE"] ?? join(ROOT, ".cache"));
  const cached = join(cache, pin.file);
  if (existsSync(cached)) {
    const bytes = readFileSync(cached);
    if (mismatch(bytes, pin) === undefined) return bytes;
    tell(`build: ${cached} is damaged and is fetched again`);
    rmSync(cached);
  }
  const place = isNamed ? "name its path in BELLJAR_WHEEL" : `put it into ${cache}`;
  download(pin, cache, place);
  const bytes = readFileSync(cached);
  const why = mismatch(bytes, pin);
  if (why === undefined) return bytes;
  rmSync(cached);
  throw new BuildError(`pip fetched a ${pin.file} that is not the pinned one: ${why}. It was removed. ${elsewhere(pin, place)}`);
}

function readGiven(path: string, pin: WheelPin): Uint8Array {
  if (!existsSync(path)) throw new BuildError(`BELLJAR_WHEEL names ${path}, which is not there. ${elsewhere(pin, "name its path in BELLJAR_WHEEL")}`);
  const bytes = readFileSync(path);
  verify(`BELLJAR_WHEEL (${path})`, bytes, pin);
  return bytes;
}

function download(pin: WheelPin, cache: string, place: string): void {
  mkdirSync(cache, { recursive: true });
  const tried: string[] = [];
  for (const [command, ...first] of PIPS) {
    const args = [...first, "download", "--no-deps", "--only-binary=:all:", "--dest", cache, `${pin.name}==${pin.version}`];
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8", windowsHide: true });
    if (status === 0 && existsSync(join(cache, pin.file))) return;
    if (error === undefined) tried.push(`${[command, ...first].join(" ")}: ${lastLine(stderr) || `status ${status}`}`);
  }
  const reason = tried.length === 0 ? "There is no pip on this machine." : `pip could not fetch it (${tried.join("; ")}).`;
  throw new BuildError(`The wheel of ${pin.name} ${pin.version} is needed. ${reason} ${elsewhere(pin, place)}`);
}

function elsewhere({ name, version, file, sha256 }: WheelPin, place: string): string {
  return (
    `Install Python with pip and build again with a network; or get ${file} (sha256 ${sha256}) on another machine ` +
    `(pip download --no-deps --only-binary=:all: ${name}==${version}) and ${place}.`
  );
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
