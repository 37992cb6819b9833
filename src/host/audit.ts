import { closeSync, constants, openSync, writeSync } from "node:fs";
import { BelljarError, messageOf } from "../base/errors.ts";
import type { GrantUse } from "../policy/grants.ts";
import { refusals } from "../policy/sentences.ts";

/** Bytes that may wait for a slow reader; what comes meanwhile is counted, and the count told once there is room. */
const MOST_WAITING = 1_048_576;
const RETRY_MS = 100;

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
  let waiting = Buffer.alloc(0);
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Writes what there is room for; a pipe that nobody reads takes no more for a time, and is not waited for. */
  const flush = (): void => {
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(fd, waiting));
    } catch {
      // A reader that is gone, or a full disk, is no reason to fail the call.
      clearTimeout(timer);
      timer = setTimeout(flush, RETRY_MS).unref();
    }
  };
  return {
    tell(sandbox, uses) {
      flush();
      if (waiting.length > MOST_WAITING) {
        lost += uses.length;
        return;
      }
      const time = new Date().toISOString();
      const lines = uses.map(({ what, name, times, bytes }) => `${JSON.stringify({ time, sandbox, what, name, times, bytes })}\n`);
      if (lost > 0) lines.unshift(`${JSON.stringify({ time, lost })}\n`);
      lost = 0;
      waiting = Buffer.concat([waiting, Buffer.from(lines.join(""))]);
      flush();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
      if (fd !== 2) closeSync(fd);
    },
  };
}

function openFile(file: string): number {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (cause) {
    throw new BelljarError("REFUSED", refusals.badAudit(file, messageOf(cause)), { cause });
  }
}
