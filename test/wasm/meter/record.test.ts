import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Arbitrary, array, assert as check, constantFrom, integer, property, tuple } from "fast-check";
import { pageRecord } from "../../../src/engine/page-record.ts";
import { meter } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, exportOf, I32, I64, type Parts, s, u, V128, VOID } from "./assembler.ts";
import { start } from "./guest.ts";

const PAGE = 4_096;
/** Wasm pages of the memory. */
const PAGES = 16;
const STORE = 0x36;
const STORE8 = 0x3a;
const get = (local: number): number[] => [OP.localGet, local];
const constant = (value: number): number[] => [OP.i32Const, ...s(value)];

interface Recorded {
  readonly bytes: Buffer;
  /** Bytes of the recorded module. */
  readonly size: number;
  setFuel(fuel: number): void;
  refuel(): void;
  clear(): void;
  run(...args: number[]): void;
  /** Pages that were written to, and that the record tells. */
  written(): number[];
  told(): number[];
}

/** A module whose `f` takes three i32, with three i32 locals after them, an i64 and a vector. */
function recorded(code: Bytes, parts: Parts = {}, onYield?: () => void): Recorded {
  const bytes = assemble({
    ...parts,
    memories: [[0, PAGES]],
    exports: [exportOf("memory", 2, 0)],
    types: [[[I32, I32, I32], []], ...(parts.types ?? [])],
    functions: [{ type: 0, locals: [I32, I32, I32, I64, V128], code, name: "f" }, ...(parts.functions ?? [])],
  });
  const guest = start(bytes, { options: { record: true }, ...(onYield && { onYield }) });
  const own = guest.instance.exports["memory"];
  assert.ok(own instanceof WebAssembly.Memory);
  const content = Buffer.from(own.buffer);
  // Nothing that is written is like what was there.
  content.fill(0xa5);
  const record = pageRecord(guest.instance, own);
  const pages = Array.from({ length: content.length / PAGE }, (_, page) => page);
  return {
    bytes: content,
    size: meter(bytes, { record: true }).bytes.length,
    setFuel: guest.setFuel,
    refuel: () => guest.setFuel(guest.fuel() + 100),
    clear: record.clear,
    run: (...args) => void guest.call("f", ...args),
    written: () => pages.filter((page) => content.subarray(page * PAGE, (page + 1) * PAGE).some((byte) => byte !== 0xa5)),
    told: () => pages.filter((page) => record.has(page * PAGE)),
  };
}

function assertTold(guest: Recorded): void {
  const told = new Set(guest.told());
  assert.deepEqual(guest.written().filter((page) => !told.has(page)), []);
}

/** `x` and `y` as addresses, and a number. */
const [X, Y, N] = [0, 1, 2];
const WIDE = 6;
const VECTOR = 7;
const store = (local: number, offset = 0): number[] => [...get(local), ...constant(0), STORE, 2, ...u(offset)];
const step = (local: number, by: number[]): number[] => [...get(local), ...by, OP.i32Add, OP.localSet, local];
/** Runs its body as often as a local says, at least once, with the branch back at its end. */
const counted = (body: number[], times = N): number[] => [OP.loop, VOID, ...body, ...get(times), ...constant(1), OP.i32Sub, OP.localTee, times, OP.brIf, 0, OP.end];

const STORES: readonly (readonly [name: string, code: number[], bytes: number])[] = [
  ["i32.store", [...constant(0), STORE, 2, 0], 4],
  ["i32.store8", [...constant(0), STORE8, 0, 0], 1],
  ["i32.store16", [...constant(0), 0x3b, 1, 0], 2],
  ["i64.store", [...get(WIDE), 0x37, 3, 0], 8],
  ["i64.store8", [...get(WIDE), 0x3c, 0, 0], 1],
  ["i64.store16", [...get(WIDE), 0x3d, 1, 0], 2],
  ["i64.store32", [...get(WIDE), 0x3e, 2, 0], 4],
  ["f32.store", [0x43, 0, 0, 0, 0, 0x38, 2, 0], 4],
  ["f64.store", [0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x39, 3, 0], 8],
  ["v128.store", [...get(VECTOR), OP.simd, 11, 4, 0], 16],
  ["v128.store8_lane", [...get(VECTOR), OP.simd, 88, 0, 0, 3], 1],
  ["v128.store64_lane", [...get(VECTOR), OP.simd, 91, 3, 0, 1], 8],
  ["a fill whose length stands in the code", [...constant(0), ...constant(4_000), OP.misc, 11, 0], 4_000],
  ["a copy whose length stands in the code", [...constant(0x80000), ...constant(4_000), OP.misc, 10, 0, 0], 4_000],
  ["a fill of any length", [...constant(0), ...get(N), OP.misc, 11, 0], 20_000],
];

describe("the record tells every page that was written to", () => {
  for (const [name, code, bytes] of STORES) {
    test(`by ${name}, over a page's end too, and few pages beside`, () => {
      for (const at of [8 * PAGE, 9 * PAGE - 1]) {
        const guest = recorded([...get(X), ...code]);
        guest.bytes.fill(1, 0x80000, 0x80000 + 8_192);
        const before = guest.written();
        guest.run(at, 0, 20_000);
        const told = guest.told();
        assert.ok(told.includes(at / PAGE | 0) && told.includes((at + bytes - 1) / PAGE | 0), told.join());
        assert.ok(told.length <= Math.ceil(bytes / PAGE) + 2, told.join());
        assert.ok(before.length <= guest.written().length);
      }
    });
  }

  test("at the end of a long offset, and of one that no mark before it reaches", () => {
    const guest = recorded([...store(X), ...store(X, 4_090), ...store(X, 4_094), ...store(X, 50_000)]);
    guest.run(PAGE - 1, 0, 1);
    assertTold(guest);
  });

  test("through an address that is computed, that a block returns, or whose local is assigned meanwhile", () => {
    const guest = recorded([
      ...get(X), ...get(Y), OP.i32Add, ...constant(0), STORE, 2, 0,
      OP.block, I32, ...get(X), ...constant(3 * PAGE), OP.i32Add, OP.end, ...constant(0), STORE, 2, 0,
      ...get(X), ...step(X, constant(7 * PAGE)), ...constant(0), STORE, 2, 0,
    ]);
    guest.run(PAGE, 20 * PAGE, 1);
    assertTold(guest);
    assert.deepEqual(guest.written(), [1, 4, 21]);
  });

  test("in an arm that ran where the other one did not, and after it", () => {
    const guest = recorded([...get(N), OP.if, VOID, ...store(X), OP.else, ...store(Y), OP.end, ...store(X), ...store(Y)]);
    guest.run(PAGE, 5 * PAGE, 0);
    assertTold(guest);
  });

  for (const by of [4, -4, 100, 5_000, -5_000]) {
    test(`in a loop that moves by ${by}, before its step, after it, and twice`, () => {
      for (const body of [
        [...store(X), ...step(X, constant(by))],
        [...step(X, constant(by)), ...store(X)],
        [...store(X), ...step(X, constant(by)), ...store(X), ...step(X, constant(by))],
        [...store(X), ...step(X, get(Y))],
        [...store(X), ...step(X, get(Y)), ...store(X), ...step(X, get(Y))],
        [...step(X, get(Y)), ...step(X, get(Y)), ...store(X)],
      ]) {
        const guest = recorded(counted(body));
        guest.run(PAGES * 8 * PAGE, by, 20);
        assertTold(guest);
        assert.ok(guest.told().length < 100, "not all pages are told");
      }
    });
  }

  test("by a loop down to the memory's first byte, whose last step leaves it", () => {
    const guest = recorded(counted([...store(X), ...step(X, constant(-PAGE))]));
    guest.run(9 * PAGE, 0, 10);
    assertTold(guest);
  });

  test("by a loop that is left by a branch after its end", () => {
    const loop = [OP.loop, VOID, ...store(X), ...step(X, constant(PAGE)), ...get(N), ...constant(1), OP.i32Sub, OP.localTee, N, OP.brIf, 0, OP.br, 1, OP.end];
    const guest = recorded([OP.block, VOID, ...loop, OP.end]);
    guest.run(0, 0, 9);
    assertTold(guest);
  });

  test("by a loop that waits for the host in its midst", () => {
    let told: readonly [number[], number[]] | undefined;
    const guest = recorded(counted([...store(X), ...step(X, constant(PAGE))]), {}, () => {
      told ??= [guest.written(), guest.told()];
      guest.refuel();
    });
    guest.setFuel(60);
    guest.run(0, 0, 40);
    assert.ok(told !== undefined && told[0].length > 1);
    assert.deepEqual(told[0].filter((page) => !told?.[1].includes(page)), []);
    assertTold(guest);
  });

  test("by a function that is called in a loop whose own pointer stays", () => {
    const guest = recorded(counted([...store(X), ...get(Y), ...get(X), ...get(X), OP.call, 1, ...step(Y, constant(PAGE))]), {
      functions: [{ type: 0, code: store(X, 8) }],
    });
    guest.run(3 * PAGE, 30 * PAGE, 12);
    assertTold(guest);
  });
});

test("a mark stands once for all fields of a pointer, and before a loop that doesn't move it", () => {
  const length = (code: number[]): number => recorded(code).size;
  const one = length(store(X));
  assert.equal(length([...store(X), ...store(X, 8), ...store(X, 16)]) - one, 2 * store(X).length, "no mark for the second and third");
  const loop = length(counted([...store(X), ...store(X, 8)]));
  assert.equal(loop - length(counted(store(X))), store(X).length);
});

test("the record is empty before the module has run, and again when it is cleared", () => {
  const guest = recorded(store(X));
  assert.deepEqual(guest.told(), []);
  guest.run(PAGE, 0, 1);
  assert.deepEqual(guest.told(), [1, 2]);
  guest.clear();
  assert.deepEqual(guest.told(), []);
});

/** Programs of stores through three pointers that move, in blocks, arms and loops of all kinds. */
const pointer = constantFrom(X, Y);
const offset = constantFrom(0, 4, 4_092, 4_095, 9_000);
const by = constantFrom(4, -4, 16, 4_096, -4_096, 12_288, 0);
const SIMPLE = ["store", "far", "step", "by", "fill", "call"] as const;
const NESTED = [...SIMPLE, "block", "if", "loop"] as const;

/** One statement. @param depth how deep its own may nest */
function statementOf(kind: (typeof NESTED)[number], depth: number): Arbitrary<number[]> {
  const inner = programOf(depth - 1);
  switch (kind) {
    case "store":
      return tuple(pointer, offset).map(([local, at]) => store(local, at));
    case "far":
      return pointer.map((local) => [get(local), get(N), constant(12), [0x74, OP.i32Add], constant(0), [STORE, 2, 0]].flat());
    case "step":
      return tuple(pointer, by).map(([local, bytes]) => step(local, constant(bytes)));
    case "by":
      return pointer.map((local) => step(local, [get(N), constant(6), [0x74]].flat()));
    case "fill":
      return pointer.map((local) => [get(local), constant(0), get(N), constant(9), [0x74, OP.misc, 11, 0]].flat());
    case "call":
      return pointer.map((local) => [get(local), get(X), constant(2), [OP.call, 1]].flat());
    case "block":
      return inner.map((body) => [[OP.block, VOID], body, get(N), [OP.brIf, 0], body, [OP.end]].flat());
    case "if":
      return tuple(inner, inner).map(([yes, no]) => [get(N), [OP.if, VOID], yes, [OP.else], no, [OP.end]].flat());
    case "loop":
      return tuple(integer({ min: 1, max: 9 }), inner).map(([turns, body]) => [constant(turns), [OP.localSet, N + depth], counted(body, N + depth)].flat());
  }
}

function programOf(depth: number): Arbitrary<number[]> {
  const statement = constantFrom(...(depth > 0 ? NESTED : SIMPLE)).chain((kind) => statementOf(kind, depth));
  return array(statement, { maxLength: 5 }).map((parts) => parts.flat());
}

test("whatever a program writes is told, when it comes to its end", () => {
  check(
    property(programOf(3), integer({ min: 0, max: 250 }), integer({ min: 0, max: 250 }), (body, x, y) => {
      const guest = recorded(body, { functions: [{ type: 0, code: [...store(X, 5_000), ...counted([...store(X), ...step(X, constant(4_000))])] }] });
      try {
        guest.run(x * PAGE, y * PAGE, 3);
      } catch (error) {
        // What is outside the memory traps; a guest that trapped is not asked for its record.
        assert.ok(error instanceof WebAssembly.RuntimeError, String(error));
        return;
      }
      assertTold(guest);
    }),
    { numRuns: 500 },
  );
});
