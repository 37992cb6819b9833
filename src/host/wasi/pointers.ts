import { refuse } from "../errno.ts";
import { CAPS } from "../files/caps.ts";

/** The guest's memory, each access checked against its size at that moment. Pointers are what Wasm passes: i32, read as u32. */
export interface Pointers {
  /** To read and to write. @throws WasiFault fault when the range leaves the memory. */
  bytes(pointer: number, length: number): Uint8Array;
  u8(pointer: number): number;
  u16(pointer: number): number;
  u32(pointer: number): number;
  u64(pointer: number): bigint;
  setU8(pointer: number, value: number): void;
  setU16(pointer: number, value: number): void;
  setU32(pointer: number, value: number): void;
  setU64(pointer: number, value: bigint): void;
  /** A path: UTF-8 without NUL. @throws WasiFault fault, nametoolong, ilseq, inval. */
  path(pointer: number, length: number): string;
  /** The buffers of an iovec array. @throws WasiFault fault, inval for too many or too much. */
  vectors(pointer: number, count: number): Uint8Array[];
}

const MAX_VECTORS = 1_024;
const MAX_TRANSFER = 0x7fff_ffff;
const VECTOR_BYTES = 8;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param touched told of what is written, or may be */
export function pointers(memory: WebAssembly.Memory, touched: (pointer: number, length: number) => void = () => {}): Pointers {
  let all = new Uint8Array(memory.buffer);
  let view = new DataView(memory.buffer);

  const checked = (pointer: number, length: number): DataView => {
    // Growing makes a new buffer and detaches the old one.
    if (all.buffer !== memory.buffer) {
      all = new Uint8Array(memory.buffer);
      view = new DataView(memory.buffer);
    }
    return (pointer >>> 0) + length > all.length ? refuse("fault") : view;
  };
  const writable = (pointer: number, length: number): DataView => {
    const all = checked(pointer, length);
    touched(pointer, length);
    return all;
  };
  const bytes = (pointer: number, length: number): Uint8Array => {
    const size = length >>> 0;
    checked(pointer, size);
    touched(pointer, size);
    return all.subarray(pointer >>> 0, (pointer >>> 0) + size);
  };

  return {
    bytes,
    u8: (pointer) => checked(pointer, 1).getUint8(pointer >>> 0),
    u16: (pointer) => checked(pointer, 2).getUint16(pointer >>> 0, true),
    u32: (pointer) => checked(pointer, 4).getUint32(pointer >>> 0, true),
    u64: (pointer) => checked(pointer, 8).getBigUint64(pointer >>> 0, true),
    setU8: (pointer, value) => writable(pointer, 1).setUint8(pointer >>> 0, value),
    setU16: (pointer, value) => writable(pointer, 2).setUint16(pointer >>> 0, value, true),
    setU32: (pointer, value) => writable(pointer, 4).setUint32(pointer >>> 0, value, true),
    setU64: (pointer, value) => writable(pointer, 8).setBigUint64(pointer >>> 0, value, true),
    path(pointer, length) {
      const size = length >>> 0;
      if (size > CAPS.pathBytes) refuse("nametoolong");
      const text = decode(bytes(pointer, size));
      return text.includes("\0") ? refuse("inval") : text;
    },
    vectors(pointer, count) {
      const size = count >>> 0;
      if (size > MAX_VECTORS) refuse("inval");
      const table = bytes(pointer, size * VECTOR_BYTES).byteOffset;
      const found: Uint8Array[] = [];
      let total = 0;
      for (let row = table; row < table + size * VECTOR_BYTES; row += VECTOR_BYTES) {
        const one = bytes(view.getUint32(row, true), view.getUint32(row + 4, true));
        total += one.length;
        if (total > MAX_TRANSFER) refuse("inval");
        if (one.length > 0) found.push(one);
      }
      return found;
    },
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse("ilseq");
  }
}
