import { closeSync, openSync, writeSync } from "node:fs";
import { BelljarError } from "../base/errors.ts";
import type { GrantUse } from "../policy/grants.ts";
import { refusals } from "../policy/sentences.ts";

/** Where each use of a grant is told, one JSON object a line; disposing it closes its file. */
export interface Audit extends Disposable {
  /** `sandbox` is a sandbox's name, or the id of the execution that had one of its own. */
  tell(sandbox: string, uses: readonly GrantUse[]): void;
}

/**
 * Opens the audit's file, to add to it; standard error without one.
 * @throws BelljarError REFUSED when it can't be written.
 */
export function openAudit(file: string | undefined): Audit {
  const fd = file === undefined ? 2 : openFile(file);
  return {
    tell(sandbox, uses) {
      const time = new Date().toISOString();
      const lines = uses.map(({ what, name, times, bytes }) => `${JSON.stringify({ time, sandbox, what, name, times, bytes })}\n`);
      try {
        writeSync(fd, lines.join(""));
      } catch {
        // A reader that is gone, or a full disk, is no reason to fail the call.
      }
    },
    [Symbol.dispose]() {
      if (fd !== 2) closeSync(fd);
    },
  };
}

function openFile(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (cause) {
    throw new BelljarError("REFUSED", refusals.badAudit(file, cause instanceof Error ? cause.message : String(cause)), { cause });
  }
}
