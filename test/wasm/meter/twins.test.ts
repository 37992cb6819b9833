import assert from "node:assert/strict";
import { test } from "node:test";
import { pageRecord } from "../../../src/engine/page-record.ts";
import { meter, PLAIN_EXPORT } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, exportOf, I32, type Parts, s, u, VOID } from "./assembler.ts";
import { type Guest, start } from "./guest.ts";
import { interpret } from "./program.ts";
import { moduleOf, numbers, randomFunctions } from "./random-program.ts";

const PAGE = 4_096;
const PAGES = 16;
/** What makes a branch one over an interpreter's instructions. */
const LABELS = 65;
const OPTIONS = { record: true, twins: true };

function plainOf({ instance }: Guest): WebAssembly.Global {
  const plain = instance.exports[PLAIN_EXPORT];
  assert.ok(plain instanceof WebAssembly.Global);
  return plain;
}

function memoryOf({ instance }: Guest): WebAssembly.Memory {
  const { memory } = instance.exports;
  assert.ok(memory instanceof WebAssembly.Memory);
  return memory;
}

test("random programs charge and compute the same with marks, without, and when they change over at any yield", () => {
  let changed = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const next = numbers(seed);
    const fewest = seed % 3 === 0 ? 0 : LABELS + 5;
    const functions = randomFunctions(next, fewest);
    let yields = 0;
    let change = Infinity;
    const slice = 5 + next(60);
    const guest = start(
      moduleOf(functions),
      {
        options: OPTIONS,
        onYield() {
          yields += 1;
          if (yields === change) {
            plain.value = 1;
            changed += 1;
          }
          for (; guest.fuel() < 0; given += slice) guest.setFuel(guest.fuel() + slice);
        },
      },
    );
    let given = 0;
    const plain = plainOf(guest);
    const memory = new Uint8Array(memoryOf(guest).buffer);
    for (const state of [0, 1, 12_345, -1]) {
      const expected = interpret(functions, 0, state, new Uint8Array(65_536));
      for (const [isPlain, at] of [[0, Infinity], [1, Infinity], [0, 1], [0, 2], [0, 3], [0, 5], [0, 9]] as const) {
        memory.fill(0);
        [plain.value, yields, change, given] = [isPlain, 0, at, 0];
        guest.setFuel(0);
        const what = `program ${seed}, state ${state}, ${isPlain}, ${at}`;
        assert.deepEqual([guest.call("f0", state), given - guest.fuel()], [expected.state, expected.fuel], what);
        assert.ok(Buffer.from(memory.buffer).equals(expected.memory), what);
      }
    }
  }
  assert.ok(changed > 1_000, String(changed));
});

const [X, N] = [0, 1];
const get = (local: number): number[] => [OP.localGet, local];
const constant = (value: number): number[] => [OP.i32Const, ...s(value)];
const storeAt = (local: number): number[] => [...get(local), ...constant(7), 0x36, 2, 0];
const nextPage = [...get(X), ...constant(PAGE), OP.i32Add, OP.localSet, X];
const countDown = [...get(N), ...constant(1), OP.i32Sub, OP.localTee, N];

/** Writes to a page in each turn, and goes on by a branch over as many labels as an interpreter has instructions: to the loop or out of it. */
function interpreter(labels: number, write: Bytes): number[] {
  const others = Array.from({ length: labels - 1 }, () => [1]).flat();
  return [OP.block, VOID, OP.loop, VOID, ...write, ...nextPage, ...countDown, 0x45, OP.brTable, ...u(labels), 0, ...others, 1, OP.end, OP.end];
}

interface Told {
  readonly written: number;
  readonly told: number;
}

/** Runs twenty turns, changes over at a yield, and looks at what the record told until then and at the end. */
function changeOver(code: Bytes, more: Parts = {}): readonly Told[] {
  const looks: Told[] = [];
  const guest = start(
    assemble({ memories: [[0, PAGES]], exports: [exportOf("memory", 2, 0)], types: [[[I32, I32], []]], functions: [{ type: 0, code, name: "f" }, ...(more.functions ?? [])] }),
    {
      options: OPTIONS,
      onYield() {
        if (looks.length === 0) look();
        plain.value = 1;
        guest.setFuel(1_000_000);
      },
    },
  );
  const plain = plainOf(guest);
  const memory = memoryOf(guest);
  const bytes = new Uint8Array(memory.buffer);
  const record = pageRecord(guest.instance, memory);
  const look = (): void => {
    const pages = Array.from({ length: bytes.length / PAGE }, (_, page) => page);
    const written = pages.filter((page) => bytes.subarray(page * PAGE, (page + 1) * PAGE).some((byte) => byte !== 0));
    const told = new Set(pages.filter((page) => record.has(page * PAGE)));
    looks.push({ written: written.length, told: written.filter((page) => told.has(page)).length });
  };
  guest.setFuel(130);
  guest.call("f", PAGE, 20);
  look();
  return looks;
}

test("an interpreter marks all that it writes until it is to run without, and from then on nothing", () => {
  const [before, after] = changeOver(interpreter(LABELS, storeAt(X)));
  assert.ok(before !== undefined && before.written > 3 && before.written < 15 && before.told === before.written, JSON.stringify(before));
  // One mark speaks for two pages.
  assert.deepEqual(after, { written: 20, told: before.told + 1 });
});

test("so does what it calls, and a function that another loop calls: at its next call", () => {
  const called = { type: 0, name: "g", code: [OP.loop, VOID, ...storeAt(X), OP.end, ...constant(0), OP.drop] };
  for (const labels of [LABELS, 2]) {
    const [before, after] = changeOver(interpreter(labels, [...get(X), ...constant(0), OP.call, 1]), { functions: [called] });
    assert.ok(before !== undefined && before.written > 1 && before.told === before.written, JSON.stringify(before));
    assert.ok(after?.written === 20 && after.told <= before.told + 2, JSON.stringify(after));
  }
});

test("any other loop goes on with marks: it is no program's own", () => {
  const [, after] = changeOver(interpreter(2, storeAt(X)));
  assert.deepEqual(after, { written: 20, told: 20 });
});

test("a record that is lost sends code to what runs without marks, until it is cleared", () => {
  const guest = start(assemble({ memories: [[0, 1]], exports: [exportOf("memory", 2, 0)], types: [[[I32, I32], []]], functions: [{ type: 0, code: storeAt(X), name: "f" }] }), { options: OPTIONS });
  const record = pageRecord(guest.instance, memoryOf(guest));
  const plain = plainOf(guest);
  assert.equal(plain.value, 0);
  record.lose();
  assert.deepEqual([plain.value, record.has(5 * PAGE)], [1, true]);
  record.clear();
  assert.deepEqual([plain.value, record.has(5 * PAGE)], [0, false]);
});

test("two modules on one memory share a record", () => {
  const types: Parts["types"] = [[[I32, I32], []]];
  const keeper = start(assemble({ memories: [[1, PAGES, 2 * PAGES]], exports: [exportOf("memory", 2, 0)], types, functions: [{ type: 0, code: storeAt(X), name: "f" }] }), { options: OPTIONS });
  const record = pageRecord(keeper.instance, memoryOf(keeper));
  const imported = [1, 0x6d, 1, 0x6d, 2, 1, PAGES, 2 * PAGES];
  const other = assemble({ imports: [imported], types, functions: [{ type: 0, code: storeAt(X), name: "f" }] });
  const guest = start(other, { options: { record: true, importRecord: true }, imports: { m: { m: memoryOf(keeper) }, belljar: { record: keeper.instance.exports["belljar:record"] ?? 0 } } });
  keeper.call("f", PAGE, 0);
  guest.call("f", 5 * PAGE, 0);
  assert.deepEqual([0, 1, 3, 5, 7].map((page) => record.has(page * PAGE)), [false, true, false, true, false]);
  assert.throws(() => meter(assemble({ memories: [[0, 1]] }), { record: true, importRecord: true }), /only with a memory that is an import/);
});
