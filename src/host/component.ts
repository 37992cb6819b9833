import { BelljarError } from "../base/errors.ts";

/** The functions of a component's core module that the canonical ABI needs of it. */
export interface CanonicalMemory {
  readonly memory: WebAssembly.Memory;
  /** The guest's `cabi_realloc(old, oldSize, align, size)`. */
  realloc(old: number, oldSize: number, align: number, size: number): number;
  /** Told what the host writes. */
  touched(pointer: number, length: number): void;
}

/** A core import: numbers in, at most one number out. */
export type CoreImport = (...args: number[]) => number | bigint | void;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A view of guest memory, valid until it grows.
 * @throws BelljarError GUEST_FAULT when it leaves the memory or is longer than `cap`.
 */
export function viewBytes({ memory }: CanonicalMemory, pointer: number, length: number, cap: number): Uint8Array {
  const start = pointer >>> 0;
  const size = length >>> 0;
  if (size > cap) throw new BelljarError("GUEST_FAULT", `the guest passed ${size} bytes, and at most ${cap} are taken`);
  if (start + size > memory.buffer.byteLength) {
    throw new BelljarError("GUEST_FAULT", `the guest passed bytes beyond its memory (${start}, ${size})`);
  }
  return new Uint8Array(memory.buffer, start, size);
}

/** A string of the guest's; what is no UTF-8 in it becomes U+FFFD. Same errors. */
export function readString(canonical: CanonicalMemory, pointer: number, length: number, cap: number): string {
  return utf8.decode(viewBytes(canonical, pointer, length, cap));
}

/** Puts bytes where the guest allocates them; gives their place. */
export function lowerBytes(canonical: CanonicalMemory, bytes: Uint8Array): { pointer: number; length: number } {
  if (bytes.length === 0) return { pointer: 1, length: 0 };
  const pointer = canonical.realloc(0, 0, 1, bytes.length) >>> 0;
  viewBytes(canonical, pointer, bytes.length, bytes.length).set(bytes);
  canonical.touched(pointer, bytes.length);
  return { pointer, length: bytes.length };
}

/** Little-endian access to a result area of `size` bytes, which is taken for written. Same errors as `viewBytes`. */
export function resultArea(canonical: CanonicalMemory, pointer: number, size: number): DataView {
  const bytes = viewBytes(canonical, pointer, size, size);
  canonical.touched(pointer, size);
  return new DataView(bytes.buffer, bytes.byteOffset, size);
}
