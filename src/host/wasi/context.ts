import type { Descriptors } from "../files/descriptors.ts";

/** All that a guest's WASI calls can reach. Fields are read at each call, so that getters can exchange them between turns. */
export interface WasiContext {
  /** The guest's memory; it may grow between calls and within the door's. */
  readonly memory: WebAssembly.Memory;
  /** Told of bytes of the memory that a call writes, or may write. */
  readonly touched?: (pointer: number, length: number) => void;
  readonly files: Descriptors;
  /** Takes what is written to the standard streams; the bytes are only valid during the call. */
  readonly output: { write(stream: "stdout" | "stderr", bytes: Uint8Array): void };
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly clock: { realtimeNs(): bigint; monotonicNs(): bigint };
  /** Fills with entropy; called with at most 65,536 bytes. */
  readonly random: (into: Uint8Array) => void;
  /**
   * Sleeps up to `ms` (a fraction, or Infinity). Returns early when the turn is stopped, so that the
   * guest gets to see its interrupt; or throws to unwind it.
   */
  readonly wait: (ms: number) => void;
  /** `proc_exit`: throws out of the guest. */
  readonly exit: (code: number) => never;
  /** Asked whenever a call has done its work, since many long calls burn few instructions; may throw to unwind the guest. */
  readonly look: () => void;
}
