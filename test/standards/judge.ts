import { openSession, type Run, type Session } from "../guests/javascript-session.ts";
import type { StandardTest } from "./test262.ts";

const DEADLINE_MS = 15_000;
let session: Session | undefined;

/** Runs a test of Test262 in a sandbox at its start; why it fails, or undefined when it passes. */
export async function judge(test: StandardTest, as: "turn" | "script"): Promise<string | undefined> {
  const run = await play(test[as]);
  return isRight(test, run) ? undefined : causeOf(test, run);
}

/** Runs code in a sandbox at its start. */
export async function play(code: string): Promise<Run> {
  session ??= await openSession(64);
  const run = await session.run(code, { deadlineMs: DEADLINE_MS });
  if (!session.instance.reset("")) session = undefined;
  return run;
}

function isRight({ isAsync, negative }: StandardTest, { status, error, stdout }: Run): boolean {
  if (negative !== undefined) return status === "error" && error?.type === negative;
  return status === "ok" && (!isAsync || stdout.includes("Test262:AsyncTestComplete"));
}

function causeOf({ negative }: StandardTest, { status, error, stdout, thrown }: Run): string {
  if (negative !== undefined && status === "ok") return `no ${negative} is thrown`;
  const late = /AsyncTestFailure:(.*)/.exec(stdout)?.[1];
  const told = error === undefined ? (late ?? thrown ?? "the asynchronous test never ends") : `${error.type}: ${error.message}`;
  return told.replace(/^Error: Uncaught Test262Error \{ message: (?:'|"|`)?/, "").replace(/\s+/g, " ").slice(0, 90);
}
