export { FUEL_EXPORT, GLOBAL_EXPORT, MEMORY_IMPORT, PLAIN_EXPORT, RECORD_EXPORT, RECORD_IMPORT, YIELD_EXPORT } from "../../src/engine/exports.ts";

/** What the counter begins with: enough for a start function, which runs before the host can give it any. */
export const START_FUEL = 1_000_000_000;

export interface MeterOptions {
  /** Makes the one defined memory an import, its maximum left to the host; its exports stay. */
  readonly importMemory?: boolean;
  /** Empties the active data segments, which an image replaces; passive ones stay, and no index shifts. */
  readonly dropData?: boolean;
  /** Further function exports: export name → name in the `name` section. */
  readonly exportFunctions?: Readonly<Record<string, string>>;
  /** Leaves out the custom sections. */
  readonly stripCustom?: boolean;
  /** Adds the record of the pages that the module has written to, in a memory that its own code can't reach; takes `fuel`. */
  readonly record?: boolean;
  /** Takes the memory of the record as an import, from a module that works on the same memory; takes `record`, and a memory that is an import. */
  readonly importRecord?: boolean;
  /**
   * Adds a copy of each function that writes no marks, and a global: once the host has set it, code goes on in those copies,
   * at its next call, or its next yield in an interpreter's loop. Takes `record`.
   */
  readonly twins?: boolean;
  /** False adds the record and never writes to it: the twin that the bench compares with. */
  readonly marked?: boolean;
  /** False leaves the counter out and does the rest. */
  readonly fuel?: boolean;
  /** False adds the counter and never takes from it: the unmetered twin that the bench compares with. */
  readonly charged?: boolean;
}

/** The types of global that an image can hold. */
export type NumberType = "i32" | "i64" | "f32" | "f64";

export interface Metered {
  readonly bytes: Uint8Array;
  /** The exports of mutable globals that make the module's state, together with its memory. */
  readonly globals: readonly { readonly name: string; readonly type: NumberType }[];
  readonly functions: number;
  readonly loops: number;
}
