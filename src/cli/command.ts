import type { Writable } from "node:stream";

/** What a command is started with. */
export interface Invocation {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Pick<Writable, "write">;
  readonly stderr: Pick<Writable, "write">;
}

/** Runs to its end and resolves with the exit code. */
export type Command = (invocation: Invocation) => Promise<number>;

/** Exit codes of every command; 124 as in GNU timeout, 137 as after a kill for memory. */
export const EXIT = { ok: 0, error: 1, usage: 2, timeout: 124, exhausted: 137, interrupted: 130 } as const;

/** Whether a person types what comes in, rather than a client or a file. */
export function isTerminal(input: Invocation["stdin"]): boolean {
  return "isTTY" in input && input.isTTY === true;
}
