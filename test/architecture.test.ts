import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve, sep } from "node:path";
import { test } from "node:test";

const SRC = resolve(import.meta.dirname, "..", "src");
/** Each room may import from itself and from those after it. */
const ROOMS = ["main.ts", "cli", "mcp", "sandbox", "guests", "host", "engine", "policy", "base"];
const OUTSIDE = /^node:(fs|net|http|https|http2|dgram|tls|dns)(\/|$)/;
const ASSETS = "engine/assets.ts";
const SOURCE = "guests/javascript-source/";
const PARSER = /^(?:acorn|sucrase)(?:\/|$)/;

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const imports: Import[] = globSync("**/*.ts", { cwd: SRC }).flatMap((path) => {
  const file = path.split(sep).join(posix.sep);
  const source = readFileSync(join(SRC, path), "utf8");
  return [...source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\bgetBuiltinModule\(\s*)["']([^"']+)["']/g)].map(([, target = ""]) => ({
    file,
    room: roomOf(file),
    target: target.startsWith(".") ? posix.join(posix.dirname(file), target) : target,
  }));
});

function roomOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function isPackage(target: string): boolean {
  return /^[a-z@]/.test(target) && !target.includes(":") && !ROOMS.includes(roomOf(target));
}

function offenders(wrong: (row: Import) => boolean): string[] {
  return imports.filter(wrong).map(({ file, target }) => `${file} imports ${target}`);
}

test("the imports of the sources are found", () => {
  assert.ok(imports.length > 50);
  assert.ok(imports.some(({ file, target }) => file === ASSETS && target === "node:fs"));
});

test("every source file is in a room", () => {
  assert.deepEqual(offenders(({ room }) => !ROOMS.includes(room)), []);
});

test("imports point one way", () => {
  const isInside = (target: string): boolean => ROOMS.includes(roomOf(target));
  assert.deepEqual(offenders(({ room, target }) => isInside(target) && ROOMS.indexOf(roomOf(target)) < ROOMS.indexOf(room)), []);
});

test("only mcp knows the MCP SDK", () => {
  assert.deepEqual(offenders(({ room, target }) => target.startsWith("@modelcontextprotocol/") && room !== "mcp"), []);
});

test("files and sockets are opened in host, for own assets, by main and by a command only", () => {
  const allowed = ({ file, room }: Import): boolean => ["host", "cli", "main.ts"].includes(room) || file === ASSETS;
  assert.deepEqual(offenders((row) => OUTSIDE.test(row.target) && !allowed(row)), []);
});

test("policy and base import nothing of Node", () => {
  assert.deepEqual(offenders(({ room, target }) => ["policy", "base"].includes(room) && target.startsWith("node:")), []);
});

test("below mcp, nothing from npm is imported but the checker of data, the table of file types, and by one door the parsers of JavaScript", () => {
    const low = new Set(["sandbox", "guests", "host", "engine", "policy", "base"]);
  const isParser = ({ file, target }: Import): boolean => file.startsWith(SOURCE) && PARSER.test(target);
  assert.deepEqual(offenders((row) => low.has(row.room) && isPackage(row.target) && !["zod", "mrmime"].includes(row.target) && !isParser(row)), []);
});

test("what the prelude shares with the host reaches nothing of either", () => {
  assert.deepEqual(offenders(({ file, target }) => file.startsWith(SOURCE) && (isPackage(target) || target.includes(":") || ROOMS.includes(roomOf(target))) && !target.startsWith(SOURCE) && !PARSER.test(target)), []);
});
