import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../src/base/errors.ts";
import { type CanonicalMemory, lowerBytes, readString, resultArea, viewBytes } from "../../src/host/component.ts";

const PAGE = 65_536;

function canonical(realloc: CanonicalMemory["realloc"] = () => 1_024, touched: CanonicalMemory["touched"] = () => {}): CanonicalMemory {
  return { memory: new WebAssembly.Memory({ initial: 1 }), realloc, touched };
}

const isFault = (error: unknown): boolean => isBelljarError(error, "GUEST_FAULT");

test("views bytes up to the end of the memory, and none beyond", () => {
  const guest = canonical();
  assert.equal(viewBytes(guest, PAGE - 4, 4, 100).length, 4);
  assert.equal(viewBytes(guest, PAGE, 0, 100).length, 0);
  for (const [pointer, length] of [[PAGE - 4, 5], [PAGE + 1, 0], [-4, 8], [0, -1], [2 ** 32 - 1, 2], [0, 2 ** 31]] as const) {
    assert.throws(() => viewBytes(guest, pointer, length, 2 ** 32), isFault, `${pointer}, ${length}`);
  }
});

test("refuses more than the cap before it looks at the memory", () => {
  const guest = canonical();
  assert.equal(viewBytes(guest, 0, 100, 100).length, 100);
  assert.throws(() => viewBytes(guest, 0, 101, 100), isFault);
});

test("reads a string; what is no UTF-8 in it is replaced", () => {
  const guest = canonical();
  new Uint8Array(guest.memory.buffer).set([0xef, 0xbb, 0xbf, 104, 0xff, 0xc3, 0xa9], 8);
  assert.equal(readString(guest, 8, 7, 100), "\ufeffh\ufffdé");
});

test("puts bytes where the guest allocates them, in a memory that may have grown", () => {
  const guest = canonical(() => {
    guest.memory.grow(1);
    return PAGE;
  });
  assert.deepEqual(lowerBytes(guest, Uint8Array.of(1, 2)), { pointer: PAGE, length: 2 });
  assert.deepEqual([...new Uint8Array(guest.memory.buffer, PAGE, 2)], [1, 2]);
});

test("what is written, or may be, is told", () => {
  const told: number[][] = [];
  const guest = canonical(undefined, (...bytes) => void told.push(bytes));
  lowerBytes(guest, Uint8Array.of(1, 2));
  resultArea(guest, 64, 16);
  viewBytes(guest, 0, 100, 100);
  assert.deepEqual(told, [[1_024, 2], [64, 16]]);
});

test("an allocation that lies outside the memory is a fault", () => {
  assert.throws(() => lowerBytes(canonical(() => PAGE - 1), Uint8Array.of(1, 2)), isFault);
  assert.throws(() => lowerBytes(canonical(() => -1), Uint8Array.of(1)), isFault);
});

test("nothing is allocated for no bytes", () => {
  assert.deepEqual(lowerBytes(canonical(() => assert.fail("allocates")), new Uint8Array(0)), { pointer: 1, length: 0 });
});

test("a result area must lie in the memory", () => {
  resultArea(canonical(), PAGE - 8, 8).setUint32(4, 7, true);
  assert.throws(() => resultArea(canonical(), PAGE - 7, 8), isFault);
});
