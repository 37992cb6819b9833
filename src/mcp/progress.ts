import type { ServerContext } from "@modelcontextprotocol/server";
import { remarks } from "../policy/sentences.ts";
import type { Progress } from "../sandbox/sandboxes.ts";

/** Least time between two notifications of one call, in milliseconds. */
const APART_MS = 500;

/**
 * Sends a call's progress when its client gave a token, at most twice a second. The first notification
 * carries the execution's id; the numbers only ever rise.
 */
export function progressSender(
  context: ServerContext,
  now: () => number = () => performance.now(),
): ((progress: Progress, totalMs: number) => void) | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = -1;
  let last = -Infinity;
  return ({ executionId, elapsedMs, fuel, line }, totalMs) => {
    const time = now();
    if (time - last < APART_MS || context.mcpReq.signal.aborted) return;
    last = time;
    told = Math.max(told + 1, Math.round(elapsedMs));
    const params = {
      progressToken,
      progress: told,
      ...(told <= totalMs ? { total: totalMs } : {}),
      message: remarks.progress(executionId, elapsedMs, fuel, line.toWellFormed()),
    };
    // A client that is gone is noticed elsewhere.
    context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
