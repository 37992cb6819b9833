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
import { findModule, packageNames } from "./packages.ts";
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
  readline: "There is no stdin here: read a file by fs.readFileSync and split its lines.",
  stream: "Read and write whole files by fs.",
  zlib: "Compress in Python (execute_python), which has gzip, bz2, lzma and zipfile.",
};
/** What serves in place of a package that many know. */
const INSTEAD: Readonly<Record<string, string>> = {
  lodash: "Meanwhile Object.groupBy, toSorted, flatMap, at and structuredClone do most of it.",
  moment: "Meanwhile use Date, toISOString and toLocaleDateString.",
  uuid: "Meanwhile use crypto.randomUUID().",
  "csv-parse": "Meanwhile split the lines yourself, or use pandas in Python (execute_python).",
  xlsx: "Meanwhile use pandas in Python (execute_python), which reads and writes Excel.",
  sqlite3: "Meanwhile use sqlite3 in Python (execute_python).",
  "chart.js": "Meanwhile draw with matplotlib in Python (execute_python), or write an SVG file.",
};
const SAME: Readonly<Record<string, string>> = {
  https: "http", net: "http", dgram: "http", tls: "http", http2: "http", cluster: "worker_threads",
  "lodash-es": "lodash", underscore: "lodash", ramda: "lodash", dayjs: "moment", "date-fns": "moment", luxon: "moment",
  nanoid: "uuid", papaparse: "csv-parse", "csv-parser": "csv-parse", exceljs: "xlsx", "better-sqlite3": "sqlite3", d3: "chart.js", canvas: "chart.js",
};

/**
 * A module of those that are inside, of the user's packages, or a file of the sandbox.
 * @throws Error (code MODULE_NOT_FOUND) that names what there is.
 */
export function requireModule(specifier: unknown, from = "/work"): object {
  const name = String(specifier).replace(/^node:/, "");
  const found = known.get(name) ?? findModule(String(specifier), from, requireModule);
  if (found !== undefined) return found;
  const stem = name.replace(/\/(?:promises|sync)$/, "");
  const reason = REASONS[SAME[stem] ?? stem] ?? [noPackage(name), INSTEAD[SAME[stem] ?? stem]].filter(Boolean).join(" ");
  const names = [...known.keys(), ...packageNames()].join(", ");
  throw Object.assign(new Error(`Cannot find module '${specifier}'. ${reason} Inside are: ${names}.`), { code: "MODULE_NOT_FOUND" });
}

function noPackage(name: string): string {
  if (/^(?:[./]|file:)/.test(name)) return "There is no such file.";
  const isAddress = /^(?:https?|data|blob):/.test(name);
  const top = isAddress ? "NAME" : (/^(?:(?:npm|jsr):\/?)?((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name);
  const why = isAddress ? "No module is loaded from an address; the user can add a package by its name" : "Code can install no package; the user can add it";
  return `${why}: belljar packages add npm:${top} --packages=DIR, and --packages=DIR for the server.`;
}

/** The namespace of a module, as an import sees it. */
export function load(specifier: unknown): Record<string, unknown> {
  const module = requireModule(specifier);
  return "__esModule" in module ? { ...module } : { ...module, default: module };
}

/** Names that code finds without importing them, though they are no globals. */
export const modules = { require: (specifier: unknown) => requireModule(specifier), module: { exports: {} }, process };

export { Buffer };
