import assert from "node:assert/strict";
import { test } from "node:test";
import { aims, atLeastTimes, atMost, atMostTimes, median, ratio, type Row, table } from "./rows.ts";

const row = (values: readonly number[], unit: Row["unit"] = "ms"): Row => ({ what: "a call", unit, values });

test("the median is the middle value, of an even count the mean of both that are, and of none no number", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([7]), 7);
  assert.equal(median([]), NaN);
});

test("a median leaves its numbers as they are", () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test("a ratio is one of medians, and none where something was not measured", () => {
  assert.equal(ratio(row([2, 4, 90]), row([1, 2, 3])), 2);
  assert.equal(ratio(row([1]), undefined), NaN);
  assert.equal(ratio(row([1]), row([])), NaN);
});

test("an aim is reached at its limit and not past it", () => {
  assert.equal(atMost(2, row([1, 2, 9])).aim?.reached, true);
  assert.equal(atMost(2, row([1, 2.01, 9])).aim?.reached, false);
  assert.equal(atMostTimes(8, "the bare start", 8, row([1])).aim?.reached, true);
  assert.equal(atMostTimes(8, "the bare start", 8.01, row([1])).aim?.reached, false);
  assert.equal(atLeastTimes(2, "Capsule's", 2, row([1])).aim?.reached, true);
  assert.equal(atLeastTimes(2, "Capsule's", 1.99, row([1])).aim?.reached, false);
});

test("an aim beside something that was not measured is neither reached nor missed", () => {
  assert.deepEqual(atLeastTimes(2, "Capsule's", NaN, row([1])).aim, { words: "at least 2 times Capsule's", reached: null });
});

test("a table tells medians with the range, and what came of each aim", () => {
  const rows = [
    atMost(2, row([1, 3, 2])),
    { ...row([150]), who: "another" },
    atMostTimes(8, "the bare start", 9.5, row([250, 251.4, 260])),
    atLeastTimes(4, "Capsule's", NaN, row([100, 900], "a second")),
  ];
  assert.equal(
    table(rows),
    `| what | who | median | range | aim | reached |
|---|---|---|---|---|---|
| a call | Belljar over MCP | 2.00 ms | 1.00 – 3.00 | at most 2 ms | yes |
| a call | another | 150 ms |  |  |  |
| a call | Belljar over MCP | 251 ms | 250 – 260 | at most 8 times the bare start | no, 9.50 times |
| a call | Belljar over MCP | 500 a second | 100 – 900 | at least 4 times Capsule's | not measured |`,
  );
  assert.equal(
    aims(rows),
    `| what | aim | figure | reached |
|---|---|---|---|
| a call | at most 2 ms | 2.00 ms | yes |
| a call | at most 8 times the bare start | 9.50 times | no |
| a call | at least 4 times Capsule's | 500 a second | not measured |`,
  );
});
