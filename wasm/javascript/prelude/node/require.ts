import { Buffer } from "buffer/index.js";
import EventEmitter from "events/events.js";
import path from "path-browserify";
import { consoleObject } from "../console.ts";
import { setName } from "../names.ts";
import { timerGlobals } from "../timers.ts";
import { webGlobals } from "../web/globals.ts";
import { looseAssert, strictAssert } from "./assert.ts";
import { crypto } from "./crypto.ts";
import { fs } from "./fs.ts";
import { process } from "./process.ts";
import { util } from "./util.ts";

setName(EventEmitter, "EventEmitter");

const sleep = (ms?: number, value?: unknown): Promise<unknown> => new Promise((resolve) => timerGlobals.setTimeout(() => resolve(value), ms));

/** The modules of Node that are inside, by name: what `require` gives, which also is the default export. */
const known = new Map<string, object>(
  Object.entries({
    assert: looseAssert,
    "assert/strict": strictAssert,
    buffer: { Buffer, Blob: webGlobals.Blob, File: webGlobals.File },
    console: consoleObject,
    crypto,
    events: Object.assign(EventEmitter, { EventEmitter }),
    fs,
    "fs/promises": fs.promises,
    os: { EOL: "\n", platform: () => "wasi", cpus: () => [], homedir: () => "/work", tmpdir: () => "/tmp", hostname: () => "sandbox" },
    path: Object.assign(path, { posix: path }),
    "path/posix": path,
    perf_hooks: { performance: webGlobals.performance },
    process,
    timers: timerGlobals,
    "timers/promises": { setTimeout: sleep, setImmediate: (value?: unknown) => sleep(0, value) },
    url: { URL: webGlobals.URL, URLSearchParams: webGlobals.URLSearchParams },
    util,
  }),
);

const REASONS: Readonly<Record<string, string>> = {
  http: "This sandbox has no network.",
  child_process: "This sandbox has no processes.",
  worker_threads: "This sandbox has no threads.",
};

/**
 * A module of those that are inside.
 * @throws Error (code MODULE_NOT_FOUND) that names what there is.
 */
export function requireModule(specifier: unknown): object {
  const name = String(specifier).replace(/^node:/, "");
  const found = known.get(name);
  if (found !== undefined) return found;
  const reason = REASONS[name.replace(/\/promises$/, "").replace(/^(?:https|net|dgram|tls|http2)$/, "http")] ?? "Packages cannot be installed here.";
  const names = [...known.keys()].join(", ");
  throw Object.assign(new Error(`Cannot find module '${specifier}'. ${reason} Inside are: ${names}.`), { code: "MODULE_NOT_FOUND" });
}

/** The namespace of a module, as an import sees it. */
export function load(specifier: unknown): Record<string, unknown> {
  const module = requireModule(specifier);
  return { ...module, default: module };
}

/** Names that code finds without importing them, though they are no globals. */
export const modules = { require: requireModule, module: { exports: {} }, process };

export { Buffer };
