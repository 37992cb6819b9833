import { OP } from "./opcodes.ts";
import { newWriter, put, putAll, putSigned, putU32, type Writer } from "./writer.ts";

/** Index of the memory that holds the record: after the module's own. */
export const RECORD_MEMORY = 1;
/** The record's size in Wasm pages: a byte for each 4 KiB of the largest memory there can be. */
export const RECORD_PAGES = 16;
const PAGE_BITS = 12;
/** Bytes that one mark stands for, and then as many again: what is written from an address on is in its page or the next. */
export const RECORD_PAGE = 1 << PAGE_BITS;

/** A memory of one size, for the memory section. */
export const RECORD_LIMITS = [1, RECORD_PAGES, RECORD_PAGES] as const;

const pageOf = [OP.i32Const, PAGE_BITS, OP.i32ShrU];
// An align of 0, with the flag that says that an index of a memory follows.
const setByte = [OP.i32Const, 1, OP.i32Store8, 0x40, RECORD_MEMORY, 0];

/** Marks the page of the address that is `offset` after what a local holds. */
export function putMark(out: Writer, local: number, offset: number): void {
  put(out, OP.localGet);
  putU32(out, local);
  if (offset !== 0) {
    put(out, OP.i32Const);
    putSigned(out, offset | 0);
    put(out, OP.i32Add);
  }
  putAll(out, pageOf);
  putAll(out, setByte);
}

/** The type of the marker: the first address and the last, no result. */
export const MARKER_TYPE = [0x60, 2, 0x7f, 0x7f, 0] as const;

/** Writes the body of the function that marks all pages from an address to another, in whichever order they come; most often it is one. */
export function markerBody(): Writer {
  const body = newWriter(64);
  const [from, to] = [[OP.localGet, 0], [OP.localGet, 1]];
  putAll(body, [0]);
  putAll(body, [...from, ...to, ...from, ...to, OP.i32LeU, OP.select, ...pageOf]);
  putAll(body, [...to, ...from, ...from, ...to, OP.i32LeU, OP.select, ...pageOf, OP.localSet, 1, OP.localSet, 0]);
  putAll(body, [OP.loop, 0x40, ...from, ...setByte, ...from, ...to, OP.i32Ne, OP.if, 0x40]);
  putAll(body, [...from, OP.i32Const, 1, OP.i32Add, OP.localSet, 0, OP.br, 1, OP.end, OP.end, OP.end]);
  return body;
}
