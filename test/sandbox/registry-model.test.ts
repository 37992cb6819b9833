import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as check, asyncProperty, constantFrom, integer, record } from "fast-check";
import type { Language } from "../../src/policy/limits.ts";
import { createRegistry, type Registry } from "../../src/sandbox/registry.ts";
import { type FakePool, fakePool, fakeStore, type FakeStore, turnOf } from "./fake-pool.ts";

const ENDINGS = ["ok", "ok", "ok", "error", "timeout", "killed", "out_of_fuel", "crashed"] as const;
const KEEPS: ReadonlySet<string> = new Set(["ok", "error", "timeout"]);
const anySteps = array(
  record({
    act: constantFrom("run", "run", "run", "fork", "close", "evict", "restart", "settle"),
    name: constantFrom("a", "b", "c"),
    other: constantFrom("a", "b", "c"),
    ending: constantFrom(...ENDINGS),
    letter: constantFrom("x", "y", "z"),
  }),
  { minLength: 20, maxLength: 60 },
);

function start(store: FakeStore, most: number, now: () => number): Registry {
  const pool = fakePool();
  const pools = new Map<Language, FakePool>([["python", pool]]);
  return createRegistry({ pools, most, stored: { store, files: store.list(), most: 3, idleMs: 5 }, now });
}

test("whatever is asked at once and in whichever order, each sandbox is the text of the turns that count", async () => {
  let steps = 0;
  await check(
    asyncProperty(anySteps, integer({ min: 1, max: 3 }), async (given, most) => {
      const store = fakeStore();
      let time = 0;
      let registry = start(store, most, () => time);
      const model = new Map<string, string>();
      let going: Promise<unknown>[] = [];
      const settle = async (): Promise<void> => {
        await Promise.all(going);
        going = [];
      };
      let ids = 0;
      for (const { act, name, other, ending, letter } of given) {
        steps += 1;
        time += 1;
        const known = model.get(name);
        if (act === "run") {
          const expected = `${known ?? "~"}${letter}`;
          if (KEEPS.has(ending)) model.set(name, expected);
          // What never ran a turn that counts is no more than a name, which the model doesn't keep.
          else if (known === undefined) continue;
          const turn = turnOf(String((ids += 1)), `${letter}!${ending}`);
          going.push(registry.run(name, "python", turn).then(({ outcome }) => assert.deepEqual([outcome.status, outcome.repr], [ending, expected])));
        } else if (act === "fork") {
          await settle();
          const forked = registry.fork({ from: name, to: other, reseed: false });
          if (known === undefined || model.has(other)) await assert.rejects(forked, { code: "REFUSED" });
          else {
            await forked;
            model.set(other, known);
          }
        } else if (act === "close") {
          await settle();
          assert.equal(await registry.close(name), model.delete(name));
        } else if (act === "evict") {
          time += 10;
          registry.tidy();
        } else {
          await settle();
          if (act === "restart") registry = start(store, most, () => time);
        }
      }
      await settle();
      assert.deepEqual(new Map([...store.files].map(([name, { text }]) => [name, text])), model);
    }),
    { numRuns: 400 },
  );
  assert.ok(steps >= 10_000, `${String(steps)} steps`);
});
