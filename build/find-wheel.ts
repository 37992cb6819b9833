import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Lock, mismatch, verify } from "./lock.ts";
import { ROOT } from "./paths.ts";
import { BuildError, tell } from "./step.ts";

type WheelPin = Lock["wheel"];

/** Commands that may be pip, the best first. */
const PIPS = [["python3", "-m", "pip"], ["pip3"], ["pip"], ["python", "-m", "pip"], ["py", "-m", "pip"]] as const;

/**
 * The bytes of the pinned wheel: from the path in BELLJAR_WHEEL, else from the cache (BELLJAR_CACHE, or
 * `.cache` in the checkout), else by pip into that cache.
 * @throws BuildError saying what to do when there is none, or it is not the pinned one.
 */
export function findWheel(pin: WheelPin): Uint8Array {
  const given = process.env["BELLJAR_WHEEL"];
  if (given !== undefined && given !== "") return readGiven(given, pin);
  const cache = resolve(process.env["BELLJAR_CACHE"] ?? join(ROOT, ".cache"));
  const cached = join(cache, pin.file);
  if (existsSync(cached)) {
    const bytes = readFileSync(cached);
    if (mismatch(bytes, pin) === undefined) return bytes;
    tell(`build: ${cached} is damaged and is fetched again`);
    rmSync(cached);
  }
  download(pin, cache);
  const bytes = readFileSync(cached);
  const why = mismatch(bytes, pin);
  if (why === undefined) return bytes;
  rmSync(cached);
  throw new BuildError(`pip fetched a ${pin.file} that is not the pinned one: ${why}. It was removed. ${elsewhere(pin)}`);
}

function readGiven(path: string, pin: WheelPin): Uint8Array {
  if (!existsSync(path)) throw new BuildError(`BELLJAR_WHEEL names ${path}, which is not there. ${elsewhere(pin)}`);
  const bytes = readFileSync(path);
  verify(`BELLJAR_WHEEL (${path})`, bytes, pin);
  return bytes;
}

function download(pin: WheelPin, cache: string): void {
  mkdirSync(cache, { recursive: true });
  const tried: string[] = [];
  for (const [command, ...first] of PIPS) {
    const args = [...first, "download", "--no-deps", "--only-binary=:all:", "--dest", cache, `${pin.name}==${pin.version}`];
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8", windowsHide: true });
    if (status === 0 && existsSync(join(cache, pin.file))) return;
    if (error === undefined) tried.push(`${[command, ...first].join(" ")}: ${lastLine(stderr) || `status ${status}`}`);
  }
  const reason = tried.length === 0 ? "There is no pip on this machine." : `pip could not fetch it (${tried.join("; ")}).`;
  throw new BuildError(`The wheel of ${pin.name} ${pin.version} is needed. ${reason} ${elsewhere(pin)}`);
}

function elsewhere({ name, version, file, sha256 }: WheelPin): string {
  return (
    `Install Python with pip and build again with a network; or get ${file} (sha256 ${sha256}) on another machine ` +
    `(pip download --no-deps --only-binary=:all: ${name}==${version}) and name its path in BELLJAR_WHEEL.`
  );
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
