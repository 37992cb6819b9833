import type { Language } from "./limits.ts";

/** A named sandbox. */
export interface SandboxInfo {
  readonly name: string;
  readonly language: Language;
  readonly turns: number;
  readonly busy: boolean;
  /** Size of its linear memory. */
  readonly memoryBytes: number;
  /** What it costs of memory at rest; 0 while it is on disk alone. */
  readonly storedBytes: number;
  /** What it takes of the disk; 0 without a state folder. */
  readonly diskBytes: number;
  readonly idleMs: number;
  readonly parent?: string | undefined;
  readonly children: readonly string[];
}
