import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../build/paths.ts";
import { CHAPTERS } from "./chapters.ts";
import { page } from "./page.ts";
import { atMost, type Row } from "./rows.ts";

const part = (title: string, setting: string, rows: readonly Row[]): Parameters<typeof page>[0][number] => ({ title, about: `About ${title}.`, measured: { setting, load: 1.25, rows } });
const fast = atMost(2, { what: "fast", unit: "ms", values: [1] });
const slow = atMost(2, { what: "slow", unit: "ms", values: [3] });

test("a page holds the setting once, each aim, and each chapter with its words and its table", () => {
  const text = page([part("One", "here", [fast]), part("Two", "here", [slow])]);
  assert.match(text, /^# Benchmarks\n/);
  assert.equal(text.split("here.").length, 2);
  assert.match(text, /\| fast \| at most 2 ms \| 1\.00 ms \| yes \|\n\| slow \| at most 2 ms \| 3\.00 ms \| no \|/);
  assert.match(text, /## One\n\nAbout One\.\n\n\| what \| who .*\n.*\n\| fast \|/);
  assert.match(text, /## Two\n\nAbout Two\.\n\n\| what \| who .*\n.*\n\| slow \|/);
});

test("chapters that were measured in other settings are told apart", () => {
  const text = page([part("One", "here", [fast]), part("Two", "there", [slow]), part("Three", "here", [])]);
  assert.match(text, /- One; Three: here\.\n- Two: there\./);
});

test("docs/BENCHMARKS.md has chapters that the bench has, in its order and with its words", () => {
  const text = readFileSync(join(ROOT, "docs", "BENCHMARKS.md"), "utf8");
  const [, , ...chapters] = text.split("\n## ");
  const told = chapters.map((chapter) => chapter.split("\n\n|")[0]);
  const known = Object.values(CHAPTERS).map(({ title, about }) => `${title}\n\n${about}`);
  assert.ok(told.length > 0);
  assert.deepEqual(told, known.filter((chapter) => told.includes(chapter)));
});
