import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { functionNames, meter } from "../../../wasm/meter/meter.ts";
import { OP } from "../../../wasm/meter/opcodes.ts";
import { assemble, type Bytes, exportOf, I32, type Parts, text, u, VOID } from "./assembler.ts";

function refused(bytes: Uint8Array, message: RegExp): void {
  assert.throws(() => meter(bytes), (error) => {
    assert.ok(isBelljarError(error, "BAD_MODULE") && error instanceof Error);
    assert.match(error.message, message);
    return true;
  });
}

/** A module of one function of that code. */
function withCode(code: Bytes, more: Parts = {}): Uint8Array {
  return assemble({ types: [[[], []]], functions: [{ type: 0, code }], ...more });
}

/** Something of every section and of every kind of immediate. */
const RICH = assemble({
  types: [[[I32], [I32]], [[], []]],
  imports: [[...text("m"), ...text("g"), 3, I32, 0]],
  functions: [{
    type: 0,
    locals: [I32],
    name: "f",
    code: [
      OP.block, VOID, OP.tryTable, VOID, 2, 0, 0, 0, 2, 0, OP.end, OP.end,
      OP.block, I32, OP.localGet, 0, OP.localGet, 1, OP.brTable, 1, 0, 0, OP.end,
      OP.i32Const, 0, OP.callIndirect, 0, 0, OP.drop, OP.i32Const, 0, 0x28, 2, 0,
      OP.localGet, 0, OP.localGet, 0, OP.selectTyped, 1, I32, OP.drop, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, OP.drop, OP.i32Const, 7,
    ],
  }],
  tables: [[0x70, 1, 1, 2]],
  memories: [[1, 1, 2]],
  tags: [1],
  globals: [[I32, 1, OP.i32Const, 1, OP.end]],
  exports: [exportOf("t", 1, 0)],
  elements: [[0, OP.i32Const, 0, OP.end, 1, 0]],
  data: [[0, OP.i32Const, 0, OP.end, 1, 1]],
  dataCount: true,
  customs: [["name", [1, 4, 1, 0, 1, 0x66]]],
});

test("a module cut short anywhere is refused, or ends between two sections", () => {
  assert.ok(WebAssembly.validate(Uint8Array.from(RICH)));
  for (let length = 0; length < RICH.length; length++) {
    const cut = RICH.slice(0, length);
    try {
      meter(cut, { dropData: true });
      functionNames(cut);
    } catch (error) {
      assert.ok(isBelljarError(error, "BAD_MODULE"), `${length} bytes: ${String(error)}`);
    }
  }
});

test("a module with one byte changed is metered or refused, never worse", () => {
  for (let at = 0; at < RICH.length; at++) {
    for (const value of [0, 1, 0x0b, 0x40, 0x7f, 0x80, 0xfb, 0xfc, 0xff]) {
      const changed = RICH.slice();
      changed[at] = value;
      try {
        meter(changed, { dropData: true, importMemory: true });
      } catch (error) {
        assert.ok(isBelljarError(error, "BAD_MODULE"), `${value} at ${at}: ${String(error)}`);
      }
    }
  }
});

test("a changed byte makes no invalid module valid", () => {
  for (let at = 8; at < RICH.length; at++) {
    for (const value of [0, 1, 2, 3, 4, 0x7e, 0x7f]) {
      const changed = RICH.slice();
      changed[at] = value;
      if (WebAssembly.validate(Uint8Array.from(changed))) continue;
      try {
        const { bytes } = meter(changed);
        assert.ok(!WebAssembly.validate(Uint8Array.from(bytes)), `${value} at ${at}`);
      } catch (error) {
        assert.ok(isBelljarError(error, "BAD_MODULE"), `${value} at ${at}: ${String(error)}`);
      }
    }
  }
});

test("what is no core module is refused", () => {
  refused(new Uint8Array(), /ends too early \(header, offset 0\)/);
  refused(Uint8Array.from(Buffer.from("#!/usr/bin/env node")), /not a core module of version 1 \(header, offset 0\)/);
  refused(Uint8Array.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]), /not a core module of version 1 \(header, offset 4\)/);
});

test("several memories are refused, defined, imported or addressed", () => {
  const imported = [...text("m"), ...text("n"), 2, 0, 1];
  refused(assemble({ memories: [[0, 1], [0, 1]] }), /more than one memory is not supported \(memory section/);
  refused(assemble({ memories: [[0, 1]], imports: [imported] }), /more than one memory is not supported/);
  refused(assemble({ imports: [imported, imported] }), /more than one memory is not supported/);
  refused(withCode([OP.i32Const, 0, 0x28, 0x42, 0, 0, OP.drop], { memories: [[0, 1]] }), /more than one memory .*code section/);
});

test("64-bit memories, shared-everything forms and custom page sizes are refused", () => {
  for (const flags of [4, 5, 8]) refused(assemble({ memories: [[flags, 1, 1, 1]] }), /64-bit memories .*memory section/);
  refused(assemble({ tables: [[0x70, 4, 1]] }), /64-bit memories and tables/);
});

test("garbage-collected types and instructions are refused", () => {
  const structure = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0]);
  refused(structure, /type form 0x5f is not supported \(type section, offset 11\)/);
  refused(withCode([OP.i32Const, 0, OP.gc, 28, OP.drop]), /garbage-collected objects are not supported/);
});

test("unknown opcodes are refused with their number and offset", () => {
  refused(withCode([0x27]), /opcode 0x27 is not supported \(code section, offset \d+\)/);
  refused(withCode([OP.misc, 18]), /opcode 0xfc 0x12 is not supported/);
  refused(withCode([OP.simd, ...u(0x114)]), /opcode 0xfd 0x114 is not supported/);
  refused(withCode([OP.atomic, 0x4f]), /opcode 0xfe 0x4f is not supported/);
  refused(withCode([0xe0, 0]), /opcode 0xe0 is not supported/);
});

test("code that would name what the pass adds is refused", () => {
  refused(withCode([OP.globalGet, 0, OP.drop]), /global 0 of 0/);
  refused(withCode([OP.localGet, 0, OP.drop]), /local 0 of 0/);
  refused(withCode([OP.i32Const, 0, OP.callIndirect, 0, 0]), /table 0 of 0/);
  refused(withCode([OP.block, 1, OP.end]), /type 1 of 1/);
  refused(withCode([OP.i32Const, 0, 0x25, 0, OP.drop]), /table 0 of 0/);
  refused(withCode([OP.call, 1]), /function 1 of 1/);
  refused(withCode([OP.returnCall, 1]), /function 1 of 1/);
  refused(withCode([0xd2, 1, OP.drop]), /function 1 of 1/);
  refused(withCode([], { exports: [exportOf("g", 0, 1)] }), /function 1 of 1 \(export section/);
  refused(withCode([], { start: 1 }), /function 1 of 1 \(start section/);
  refused(withCode([], { tables: [[0x70, 0, 1]], elements: [[0, OP.i32Const, 0, OP.end, 1, 1]] }), /function 1 of 1 \(element section/);
  refused(assemble({ types: [], functions: [{ type: 0, code: [] }] }), /type 0 of 0/);
});

test("labels and nesting that don't fit are refused", () => {
  refused(withCode([OP.br, 1]), /label 1 of 1/);
  refused(withCode([OP.else]), /an else without its if/);
  refused(withCode([OP.catchAll]), /a catch without its try/);
  refused(withCode([OP.end]), /code after the end of its function/);
  refused(withCode([OP.block, VOID]), /ends too early/);
});

test("sections twice, out of order, unknown or of other counts are refused", () => {
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  refused(Uint8Array.from([...head, 1, 1, 0, 1, 1, 0]), /type section twice or out of order/);
  refused(Uint8Array.from([...head, 3, 1, 0, 1, 1, 0]), /type section twice or out of order/);
  refused(Uint8Array.from([...head, 14, 1, 0]), /section 14 is not supported/);
  refused(Uint8Array.from([...head, 1, 2, 0, 0]), /more bytes than items/);
  refused(Uint8Array.from([...head, 10, 2, 1, 0]), /other than 0 functions/);
  refused(Uint8Array.from([...head, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0]), /other than 1 functions/);
});

test("numbers that are too long and counts that are too large are refused at once", () => {
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  refused(Uint8Array.from([...head, 1, 0x80, 0x80, 0x80, 0x80, 0x10]), /number over 32 bits/);
  refused(Uint8Array.from([...head, 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]), /ends too early \(type section/);
  const locals = [...head, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 10, 1, 8, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, I32, OP.end];
  refused(Uint8Array.from(locals), /too many locals/);
});
