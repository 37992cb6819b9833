import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { type Guards, guardFunctions } from "../../../wasm/meter/guard.ts";
import { meter } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, exportOf, I32, I64, s, text, u } from "./assembler.ts";
import { compile } from "./guest.ts";

const NAMED = ["twice", "note", "look", "release", "give", "pair"];
const NAMES = NAMED.flatMap((name, index) => [index, ...text(name)]);

/** Global 0 holds what `note` was told, 1 what was released; `look` gives what was noted, and forgets it. */
const MODULE = assemble({
  types: [[[I32], [I32]], [[], [I32]], [[I32], []], [[I32, I32], [I32]]],
  functions: [
    { type: 0, locals: [I64], code: [OP.localGet, 0, OP.localGet, 0, OP.i32Add], name: "twice" },
    { type: 0, code: [OP.localGet, 0, OP.globalSet, 0, OP.i32Const, 0], name: "note" },
    { type: 1, code: [OP.globalGet, 0, OP.i32Const, 0, OP.globalSet, 0] },
    { type: 2, code: [OP.localGet, 0, OP.globalSet, 1] },
    { type: 0, code: [OP.localGet, 0, OP.call, 0], name: "give" },
    { type: 3, code: [OP.localGet, 0] },
  ],
  memories: [[0, 1]],
  globals: [[I32, 1, OP.i32Const, 0, OP.end], [I32, 1, OP.i32Const, 0, OP.end]],
  exports: [exportOf("noted", 3, 0), exportOf("released", 3, 1), exportOf("memory", 2, 0)],
  customs: [["name", [1, ...u(NAMES.length + 1), NAMED.length, ...NAMES]]],
});

/** A check that gives 1 for arguments over 100. */
const CHECKS = assemble({
  types: [[[I32], [I32]]],
  memories: [[0, 1]],
  functions: [{ type: 0, locals: [I64], code: [OP.localGet, 0, OP.i32Const, ...s(100), 0x4a], name: "large" }],
});

const GUARDS: Guards = {
  checks: CHECKS,
  before: { twice: "large" },
  tell: { function: "note", argument: 63 },
  after: { functions: ["give"], look: "look", release: "release" },
};

function instance(bytes: Uint8Array): { call: (name: string, argument: number) => unknown; value: (name: string) => unknown } {
  const { exports } = new WebAssembly.Instance(compile(bytes), {});
  return {
    call(name, argument) {
      const target = exports[name];
      assert.ok(typeof target === "function");
      return target(argument);
    },
    value(name) {
      const target = exports[name];
      assert.ok(target instanceof WebAssembly.Global);
      return target.value;
    },
  };
}

for (const [kind, bytes] of [["as it is", guardFunctions(MODULE, GUARDS)], ["metered", meter(guardFunctions(MODULE, GUARDS)).bytes]] as const) {
  test(`a guarded function tells of arguments that its check finds, and computes as before: ${kind}`, () => {
    const { call, value } = instance(bytes);
    assert.deepEqual([call("twice", 100), value("noted")], [200, 0]);
    assert.deepEqual([call("twice", 101), value("noted")], [202, 63]);
  });

  test(`a function that looks gives nothing and releases what it made when something was told: ${kind}`, () => {
    const { call, value } = instance(bytes);
    assert.deepEqual([call("give", 100), value("released")], [200, 0]);
    assert.deepEqual([call("give", 101), value("released"), value("noted")], [0, 202, 0]);
    assert.equal(call("give", 100), 200);
  });

  test(`a function that looks does not while its result is an exception already: ${kind}`, () => {
    const { call, value } = instance(bytes);
    call("twice", 101);
    assert.deepEqual([call("give", 0), value("noted")], [0, 63]);
  });
}

test("functions that are not there, and checks that take something else, are refused", () => {
  const wrong: readonly (readonly [Guards, RegExp])[] = [
    [{ ...GUARDS, before: { thrice: "large" } }, /no function is named thrice/],
    [{ ...GUARDS, before: { twice: "small" } }, /no function is named small/],
    [{ ...GUARDS, before: { pair: "large" } }, /pair does not take what its check large takes/],
    [{ ...GUARDS, tell: { function: "shout", argument: 1 } }, /no function is named shout/],
    [{ ...GUARDS, after: { ...GUARDS.after, functions: ["take"] } }, /no function is named take/],
    [{ ...GUARDS, after: { ...GUARDS.after, release: "free" } }, /no function is named free/],
  ];
  for (const [guards, message] of wrong) {
    assert.throws(() => guardFunctions(MODULE, guards), (error) => isBelljarError(error) && error.code === "BAD_MODULE" && message.test(error.message));
  }
});
