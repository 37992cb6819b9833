import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, connectModern } from "./driver.ts";

const PYTHON = `revenue = {1: 12000, 2: 13500, 3: 15100, 4: 19800, 5: 20100, 6: 21300}
months = sorted(revenue)
growth = {m: revenue[m] - revenue[p] for p, m in zip(months, months[1:])}
best = max(growth, key=growth.get)
{"average": round(sum(revenue.values()) / len(revenue), 2), "best_growth_month": best, "growth": growth[best]}`;

const JAVASCRIPT = `const revenue = new Map([[1, 12000], [2, 13500], [3, 15100], [4, 19800], [5, 20100], [6, 21300]]);
const growth = [...revenue].slice(1).map(([month, sum]) => [month, sum - revenue.get(month - 1)]);
const [best, most] = growth.reduce((one, other) => (other[1] > one[1] ? other : one));
const total = [...revenue.values()].reduce((sum, one) => sum + one, 0);
({ average: Math.round((total / revenue.size) * 100) / 100, best_growth_month: best, growth: most })`;

const EXPECTED = { average: 16966.67, best_growth_month: 4, growth: 4700 };

for (const [era, open] of [["client v1", connect], ["client v2", connectModern]] as const) {
  test(`${era} gets the seed example's exact result in both languages`, async () => {
    await using server = await open();
    for (const [language, code] of [["python", PYTHON], ["javascript", JAVASCRIPT]] as const) {
      const outcome = await server.run(language, code);
      assert.deepEqual(outcome.result, EXPECTED, language);
      assert.equal(outcome.status, "ok");
      assert.deepEqual([outcome.stdout, outcome.stderr], ["", ""]);
      assert.ok(outcome.usage.fuel > 0);
    }
  });
}

test("the text of the answer says the same for a reader", async () => {
  await using server = await connect();
  const { text } = await server.call("execute_python", { code: PYTHON });
  assert.equal(text, "{'average': 16966.67, 'best_growth_month': 4, 'growth': 4700}");
});

test("a client that drops content beside structured content gets text and pictures alone", async () => {
  await using server = await connect([], "claude-code");
  const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nplt.show()\n7";
  const answer = await server.call("execute_python", { code });
  assert.equal(answer.structured, undefined);
  assert.match(answer.text, /^7$/);
  assert.equal(answer.images.length, 1);
  assert.ok(answer.images[0]?.startsWith("iVBORw0KGgo"), "a PNG");
});
