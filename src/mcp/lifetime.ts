import type { Readable, Writable } from "node:stream";

/** How often the parent is looked for: nothing else tells of it when another process still holds the pipes. */
const PARENT_CHECK_MS = 1_000;
/** Time that requests other than calls still get after the end of input: some are never answered. */
const LAST_ANSWERS_MS = 1_500;
const LAST_ANSWERS_CHECK_MS = 20;
/** How often it is tried whether anybody still reads the output: nothing else tells of a closed pipe. */
const PROBE_MS = 500;
/** White space before a message is part of no line but its own, for every reader of JSON. */
const PROBE = " ";

export interface LifetimeParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Requests that were taken in and not yet answered; of these the calls, each of which ends by its own deadline. */
  readonly unanswered: () => { readonly all: number; readonly calls: number };
  /** The id of the parent process, as it is now. */
  readonly parent: () => number;
}

/**
 * Resolves, once, with the reason why the server is to end: nobody is left to serve. At the end of input that is once
 * the calls that were taken in are answered, for one who pipes them in and reads the answers; a client that closes the
 * input to end the server follows it by a signal (MCP, stdio: shutdown).
 */
export function endOfLife({ input, output, unanswered, parent }: LifetimeParts): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const firstParent = parent();
  const orphaned = (): boolean => !isParent(firstParent, parent());

  let over = false;
  let ended: number | undefined;
  let probed = 0;

  const look = (): void => {
    if (over || ended === undefined) return;
    const { all, calls } = unanswered();
    const now = performance.now();
    if (all === 0 || orphaned() || (calls === 0 && now >= ended + LAST_ANSWERS_MS)) return resolve("the input ended");
    if (now >= probed + PROBE_MS) {
      probed = now;
      output.write(PROBE);
    }
    setTimeout(look, LAST_ANSWERS_CHECK_MS);
  };
  const inputEnded = (): void => {
    if (ended !== undefined) return;
    probed = ended = performance.now();
    look();
  };
  if (input.readableEnded || input.destroyed) inputEnded();
  input.once("end", inputEnded);
  input.once("close", inputEnded);
  input.once("error", inputEnded);
  output.once("error", () => resolve("the output is closed"));
  output.once("close", () => resolve("the output is closed"));
  const timer = setInterval(() => {
    if (orphaned()) resolve("the parent is gone");
  }, PARENT_CHECK_MS);
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(name, () => resolve(name));
  promise.then(() => {
    over = true;
    clearInterval(timer);
  });
  return promise;
}

/** A process gets another parent when its own ends; on Windows it keeps the dead one's id. */
function isParent(first: number, now: number): boolean {
  if (first !== now) return false;
  if (process.platform !== "win32") return true;
  try {
    return process.kill(first, 0);
  } catch {
    return false;
  }
}
