import assert from "node:assert/strict";
import { test } from "node:test";
import { moment } from "../../src/base/moments.ts";
import { createProfile } from "../../src/mcp/profile.ts";

test("a call that was followed is told as one line, with each stage and their sum", () => {
  const lines: string[] = [];
  const profile = createProfile((line) => void lines.push(line));
  profile.arrived(7);
  profile.add(7, moment("reading"), moment("the turn"));
  profile.answered(7);
  const [, total = "", stages = ""] = /^call 7 took (\S+) ms: (.*)$/.exec(lines.join("\n")) ?? [];
  const parts = stages.split(", ").map((part) => /^(.*) (\d+\.\d\d)$/.exec(part) ?? []);
  assert.deepEqual(parts.map(([, name]) => name), ["reading", "the turn", "its line"]);
  const sum = parts.reduce((all, [, , ms]) => all + Number(ms), 0);
  assert.ok(Math.abs(sum - Number(total)) < 0.05, `${String(sum)} is not ${total}`);
});

test("a request without stages of its own, and one that never came, are not told", () => {
  const lines: string[] = [];
  const profile = createProfile((line) => void lines.push(line));
  profile.arrived("a");
  profile.answered("a");
  profile.add("b", moment("reading"));
  profile.answered("b");
  assert.deepEqual(lines, []);
});
