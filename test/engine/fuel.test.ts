import assert from "node:assert/strict";
import { test } from "node:test";
import { createFuelBudget, type FuelBudget, type FuelRules } from "../../src/engine/fuel.ts";

/** Runs what the guest does, to the reason for which it is stopped. */
function stopOf(budget: FuelBudget, work: () => void): string | undefined {
  assert.throws(work, WebAssembly.RuntimeError);
  return budget.stopped()?.code;
}

/** Stands for a guest: takes from its counter and calls its slot when that is below zero. */
function attachGuest(budget: FuelBudget): (instructions: bigint) => void {
  const counter = new WebAssembly.Global({ value: "i64", mutable: true }, 0n);
  const slot = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  budget.attach({ counter, slot });
  return (instructions) => {
    counter.value -= instructions;
    const relay: unknown = slot.get(0);
    if (counter.value < 0n && typeof relay === "function") relay();
  };
}

function rules(given: Partial<FuelRules>): FuelRules {
  return { limit: 10_000_000, grace: 0, look: () => "continue", interrupt: () => {}, onExhausted: () => {}, ...given };
}

test("what was used is exact over slices and over several counters", () => {
  const budget = createFuelBudget();
  const [one, other] = [attachGuest(budget), attachGuest(budget)];
  budget.begin(rules({}));
  for (let index = 0; index < 7; index += 1) one(1_000_001n);
  other(12n);
  assert.equal(budget.used(), 7_000_019);
});

test("the limit itself passes, and one instruction more is told at the end", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  let exhausted = 0;
  budget.begin(rules({ limit: 5_000_000, onExhausted: () => (exhausted += 1) }));
  run(5_000_000n);
  budget.settle();
  assert.equal(exhausted, 0);
  run(1n);
  budget.settle();
  assert.equal(exhausted, 1);
  assert.equal(budget.used(), 5_000_000);
});

test("what is charged ahead and given back is not held against the turn", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  let exhausted = 0;
  budget.begin(rules({ limit: 5_000_000, onExhausted: () => (exhausted += 1) }));
  run(6_000_000n);
  run(-1_000_000n);
  budget.settle();
  assert.deepEqual([exhausted, budget.used()], [0, 5_000_000]);
});

test("a turn that is far beyond its limit is ended on its way", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  let exhausted = 0;
  budget.begin(rules({ limit: 5_000_000, onExhausted: () => (exhausted += 1) }));
  run(7_000_000n);
  assert.equal(exhausted, 0);
  assert.equal(stopOf(budget, () => run(1n)), "OUT_OF_FUEL");
  assert.deepEqual([exhausted, budget.used()], [1, 5_000_000]);
});

test("a grace lets the guest unwind, is not counted, and comes in parts, each with an interrupt", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  let interrupts = 0;
  budget.begin(rules({ limit: 1_000_000, grace: 640_000, interrupt: () => (interrupts += 1) }));
  run(3_000_000n);
  assert.equal(interrupts, 0);
  run(1n);
  assert.equal(interrupts, 1);
  run(9_999n);
  assert.equal(interrupts, 1, "the part is used up to its last instruction");
  run(1n);
  assert.equal(interrupts, 2);
  assert.equal(budget.used(), 1_000_000);
  run(629_999n);
  assert.equal(interrupts, 64);
  assert.equal(stopOf(budget, () => run(1n)), "OUT_OF_FUEL");
  assert.equal(interrupts, 64);
});

const halt: FuelRules["look"] = () => "halt";
for (const [title, code, given] of [
  ["halted", "HALTED", { look: halt }],
  ["out of fuel", "OUT_OF_FUEL", { limit: 1_000_000 }],
] as const) {
  test(`a guest that is ${title} gets its last steps, asked once, and then is ended for the same reason`, () => {
    const budget = createFuelBudget();
    const [one, other] = [attachGuest(budget), attachGuest(budget)];
    const told: string[] = [];
    budget.begin(rules({ ...given, leaving: () => told.push("leaving"), ending: () => told.push("ending") }));
    one(3_000_001n);
    assert.deepEqual(told, ["leaving"]);
    other(1_000_000n);
    budget.look();
    assert.deepEqual(told, ["leaving"]);
    assert.equal(stopOf(budget, () => one(5_000_000n)), code);
    assert.deepEqual(told, ["leaving", "ending"]);
    assert.ok(budget.used() <= 10_000_000);
  });
}

test("a verdict to halt throws out of the guest, and one to interrupt does not", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  let interrupts = 0;
  budget.begin(rules({ look: () => "interrupt", interrupt: () => (interrupts += 1) }));
  run(1n);
  assert.equal(interrupts, 1);
  budget.begin(rules({ look: () => "halt" }));
  assert.equal(stopOf(budget, () => run(1n)), "HALTED");
});

test("a new turn starts from nothing, whatever the one before left in the counters", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  budget.begin(rules({}));
  run(123n);
  budget.begin(rules({}));
  assert.equal(budget.used(), 0);
  run(5n);
  assert.equal(budget.used(), 5);
});

test("a guest that runs outside of a turn is halted", () => {
  const budget = createFuelBudget();
  const run = attachGuest(budget);
  assert.equal(stopOf(budget, () => run(1n)), "HALTED");
});

test("what one counter holds unspent is there for another before the fuel is out", () => {
  const budget = createFuelBudget();
  const [one, other] = [attachGuest(budget), attachGuest(budget)];
  budget.begin(rules({ limit: 5_000_000 }));
  one(1n);
  other(6_999_999n);
  assert.equal(budget.used(), 5_000_000);
  assert.equal(stopOf(budget, () => other(1n)), "OUT_OF_FUEL");
});
