import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { play } from "./judge.ts";

/** What a file of the Web Platform Tests came to: subtests, and those that fail with why. */
export interface Piece {
  readonly path: string;
  readonly ran: number;
  readonly failing: readonly (readonly [name: string, cause: string])[];
}

/** Folders of a checkout whose `*.any.js` are run, and data files that are run through a test of their own. */
const FOLDERS = ["encoding"];
const URLS = "url/resources/urltestdata.json";

/** As much of testharness.js as these pieces call. */
const HARNESS = `const __results = [];
function test(f, name) { try { f({ name }); __results.push([name, null]); } catch (e) { __results.push([name, String(e && e.message || e)]); } }
const __same = (a, b) => a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b;
function __fail(why, text) { throw new Error((text ? text + ": " : "") + why); }
function assert_equals(a, b, text) { if (!__same(a, b)) __fail("expected " + JSON.stringify(b) + " but got " + JSON.stringify(a), text); }
function assert_not_equals(a, b, text) { if (__same(a, b)) __fail("got " + JSON.stringify(a), text); }
function assert_true(a, text) { if (a !== true) __fail("expected true", text); }
function assert_false(a, text) { if (a !== false) __fail("expected false", text); }
function assert_array_equals(a, b, text) { if (a.length !== b.length) __fail("lengths differ", text); for (let i = 0; i < a.length; i++) if (!__same(a[i], b[i])) __fail("items " + i + " differ", text); }
function assert_throws_js(kind, f, text) { try { f(); } catch (e) { if (e.name !== kind.name) __fail("threw " + e.name, text); return; } __fail("threw nothing", text); }
function assert_throws_dom(name, f, text) { try { f(); } catch (e) { if (e.name !== name) __fail("threw " + e.name, text); return; } __fail("threw nothing", text); }
function generate_tests(f, list) { for (const [name, ...args] of list) test(() => f(...args), name); }
function setup(f) { if (typeof f === "function") f(); }
const self = globalThis;
`;

const URL_TEST = `for (const one of DATA) {
  if (typeof one === "string") continue;
  test(() => {
    if (one.failure) return assert_throws_js(TypeError, () => new URL(one.input, one.base ?? undefined), "failure");
    const url = new URL(one.input, one.base ?? undefined);
    for (const key of ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]) if (key in one) assert_equals(url[key], one[key], key);
  }, JSON.stringify(one.input) + (one.base ? " against " + JSON.stringify(one.base) : ""));
}`;

const resultsSchema = z.array(z.tuple([z.string(), z.string().nullable()]));

/** The pieces that a checkout has; a file whose scripts are missing is left out. */
export async function runPieces(checkout: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const folder of FOLDERS) {
    const names = existsSync(join(checkout, folder)) ? readdirSync(join(checkout, folder)).filter((name) => name.endsWith(".any.js")).sort() : [];
    for (const name of names) {
      const source = withScripts(checkout, `${folder}/${name}`);
      if (source !== undefined) pieces.push(await run(`${folder}/${name}`, source));
    }
  }
  if (existsSync(join(checkout, URLS))) {
    pieces.push(await run(URLS, `const DATA = ${readFileSync(join(checkout, URLS), "utf8")};\n${URL_TEST}`));
  }
  return pieces;
}

function withScripts(checkout: string, path: string): string | undefined {
  const source = readFileSync(join(checkout, path), "utf8");
  const scripts = [...source.matchAll(/^\/\/ META: script=(.*)$/gm)].map(([, script = ""]) => (script.startsWith("/") ? join(checkout, script) : join(checkout, dirname(path), script)));
  if (!scripts.every((script) => existsSync(script))) return undefined;
  return [...scripts.map((script) => readFileSync(script, "utf8")), source].join("\n");
}

async function run(path: string, source: string): Promise<Piece> {
  const { result, error } = await play(`${HARNESS}${source}\nJSON.stringify(__results)`);
  if (typeof result !== "string") return { path, ran: 1, failing: [["the whole file", `${error?.type}: ${error?.message}`]] };
  const results = resultsSchema.parse(JSON.parse(result));
  return { path, ran: results.length, failing: results.flatMap(([name, cause]) => (cause === null ? [] : [[name, cause] as const])) };
}
