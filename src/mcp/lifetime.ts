import type { Readable, Writable } from "node:stream";

/** How often the parent is looked for: nothing else tells of it when another process still holds the pipes. */
const PARENT_CHECK_MS = 1_000;
/** Time that calls still get after the end of input, for one who pipes requests in and reads the answers. */
const LAST_ANSWERS_MS = 1_500;
const LAST_ANSWERS_CHECK_MS = 20;

export interface LifetimeParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Requests that were taken in and not yet answered. */
  readonly unanswered: () => number;
  /** The id of the parent process, as it is now. */
  readonly parent: () => number;
}

/** Resolves, once, with the reason why the server is to end: nobody is left to serve. */
export function endOfLife({ input, output, unanswered, parent }: LifetimeParts): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const firstParent = parent();
  const orphaned = (): boolean => !isParent(firstParent, parent());

  const inputEnded = (): void => {
    const until = performance.now() + LAST_ANSWERS_MS;
    const look = (): void => {
      if (unanswered() === 0 || orphaned() || performance.now() >= until) resolve("the input ended");
      else setTimeout(look, LAST_ANSWERS_CHECK_MS);
    };
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
  promise.then(() => clearInterval(timer));
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
