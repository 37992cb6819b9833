import door from "belljar:guest/door";
import { writeText } from "./console.ts";

/** Nothing is kept in process.env: the host's variables are not here. */
const process = {
  argv: ["node", "/work/code.js"],
  argv0: "node",
  env: {},
  pid: 1,
  platform: "wasi",
  arch: "wasm32",
  version: "",
  versions: {},
  title: "node",
  exitCode: undefined,
  stdout: { isTTY: false, columns: 80, write: (text: unknown) => (writeText("stdout", String(text)), true) },
  stderr: { isTTY: false, columns: 80, write: (text: unknown) => (writeText("stderr", String(text)), true) },
  cwd: () => "/work",
  exit: (code?: unknown) => door.exit(Number(code ?? process.exitCode ?? 0) | 0),
  uptime: () => door.monotonic() / 1_000,
  nextTick: (callback: (...args: unknown[]) => unknown, ...args: unknown[]) => queueMicrotask(() => callback(...args)),
  on: () => process,
  once: () => process,
  off: () => process,
  emitWarning: (warning: unknown) => writeText("stderr", `Warning: ${String(warning)}\n`),
};

const known = new Map<string, Record<string, unknown>>([["process", { ...process, default: process }]]);

/**
 * A module of those that are inside.
 * @throws Error (code MODULE_NOT_FOUND) that names what there is.
 */
export function load(specifier: string): Record<string, unknown> {
  const found = known.get(specifier.replace(/^node:/, ""));
  if (found !== undefined) return found;
  const names = [...known.keys()].sort().join(", ");
  throw Object.assign(new Error(`Cannot find module '${specifier}'. Inside are: ${names}.`), { code: "MODULE_NOT_FOUND" });
}

export const modules = {
  require: (specifier: unknown) => {
    const found = load(String(specifier));
    return found["default"] ?? found;
  },
  module: { exports: {} },
  process,
};
