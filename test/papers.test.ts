import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { STEPS } from "../build/steps.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PAPERS = ["README.md", "ARCHITECTURE.md", "RATIONALE.md", "SECURITY.md", "CONTRIBUTING.md"];
/** What a paper names in backticks and could be a path of the checkout: it begins with one of its folders. */
const PATH = /`((?:src|test|wasm|build|\.ci)\/[\w./-]*)`/g;

const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");

/** Rows of the tables under a heading, as cells; the head and its line left out. */
function rowsUnder(paper: string, heading: string): string[][] {
  const [, section = ""] = read(paper).split(`\n## ${heading}\n`);
  const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
  const [, , ...rows] = lines.map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()));
  return rows;
}

for (const paper of PAPERS) {
  test(`${paper} names only files that are there`, () => {
    const named = [...read(paper).matchAll(PATH)].flatMap(([, path]) => path ?? []);
    assert.deepEqual(named.filter((path) => !existsSync(join(ROOT, path))), []);
  });

  test(`${paper} names only papers that are there`, () => {
    const named = read(paper).match(/(?:\bdocs\/)?\b[A-Z]{4,}\.md\b/g) ?? [];
    assert.deepEqual(named.filter((name) => !existsSync(join(ROOT, name))), []);
  });

  test(`${paper} has no line left to be written and no path of one machine`, () => {
    assert.doesNotMatch(read(paper), /\b(?:TODO|TBD|FIXME)\b|\/(?:home|Users|tmp|root)\/[\w-]+\//);
  });
}

test("every promise of README.md and every threat of SECURITY.md names a test", () => {
  const rows = [...rowsUnder("README.md", "What it promises"), ...rowsUnder("SECURITY.md", "Threats")];
  assert.ok(rows.length > 20);
  for (const row of rows) assert.match(row.at(-1) ?? "", /`test\/[\w./-]+`/, row.join(" | "));
});

test("README.md tells of each step of the build, in order", () => {
  const told = rowsUnder("README.md", "How it is built").map(([step]) => step);
  assert.deepEqual(told, STEPS.map(({ name }) => `\`${name}\``));
});

test("ARCHITECTURE.md tells of each room, and of no other", () => {
  const told = rowsUnder("ARCHITECTURE.md", "Rooms").map(([room = ""]) => room.replaceAll("`", ""));
  const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(told.filter((room) => room.startsWith("src/")).sort(), rooms.map(({ name }) => `src/${name}`).sort());
});

test("the version is the same wherever it stands", () => {
  const { version } = JSON.parse(read("package.json"));
  assert.equal(JSON.parse(read("package-lock.json")).version, version);
});
