import assert from "node:assert/strict";
import { test } from "node:test";
import { SHARED, graceMs, raise, raisedBy, startStop, type Stop } from "../../src/sandbox/stop.ts";

function begin({ wallTimeMs = 1_000, soft = true } = {}): { stop: Stop; flag: Int32Array; at: (ms: number) => void } {
  let time = 0;
  const flag = new Int32Array(new SharedArrayBuffer(SHARED.bytes));
  const stop = startStop({ wallTimeMs, flag, soft, now: () => time });
  return {
    stop,
    flag,
    at(ms) {
      time = ms;
    },
  };
}

test("a turn goes on until its deadline, is interrupted at it and again in the grace, and halted when that is over", () => {
  const { stop, at } = begin();
  at(999.9);
  assert.equal(stop.look(), "continue");
  assert.equal(stop.cause(), undefined);
  at(1_000);
  assert.equal(stop.look(), "interrupt");
  assert.equal(stop.look(), "continue");
  const interrupts = [];
  for (let ms = 1_000; ms < 1_250; ms += 0.5) {
    at(ms);
    if (stop.look() === "interrupt") interrupts.push(ms);
  }
  assert.equal(interrupts.length, 62, "each a 64th of the grace after the one before, or as soon as is looked");
  assert.equal(interrupts[0], 1_004);
  at(1_250);
  assert.equal(stop.look(), "halt");
  assert.equal(stop.cause(), "timeout");
});

test("a guest that can't be interrupted is halted at its deadline", () => {
  const { stop, at } = begin({ soft: false });
  at(1_000);
  assert.equal(stop.look(), "halt");
});

test("the grace is a quarter of the deadline and at most two seconds", () => {
  assert.equal(graceMs(1_000), 250);
  assert.equal(graceMs(8_000), 2_000);
  assert.equal(graceMs(30_000), 2_000);
});

test("a kill halts at once, and the first cause of a stop stays the cause", () => {
  const killed = begin();
  raise(killed.flag, "kill_execution");
  raise(killed.flag, "cancel");
  assert.equal(raisedBy(killed.flag), "kill_execution", "the first who kills");
  assert.equal(killed.stop.look(), "halt");
  killed.at(5_000);
  assert.equal(killed.stop.look(), "halt");
  assert.equal(killed.stop.cause(), "killed");

  const starved = begin();
  starved.stop.outOfFuel();
  starved.at(5_000);
  assert.equal(starved.stop.look(), "halt");
  assert.equal(starved.stop.cause(), "out_of_fuel");

  const late = begin();
  late.at(1_000);
  late.stop.look();
  late.flag[0] = 1;
  assert.equal(late.stop.look(), "halt");
  assert.equal(late.stop.cause(), "timeout");
});

test("a wait is whole when it ends before the deadline, and cut short by it or by a kill", () => {
  const { stop, flag, at } = begin({ wallTimeMs: 40 });
  assert.equal(stop.wait(5), true);
  assert.equal(stop.wait(10_000), false);
  at(40);
  assert.equal(stop.wait(10_000), false);
  assert.equal(stop.look(), "interrupt");
  assert.equal(stop.wait(5), true, "a wait in the grace is cut short by its end alone");
  at(0);
  flag[0] = 1;
  assert.equal(stop.wait(10), false);
});
