import assert from "node:assert/strict";
import type { Connection } from "../e2e/driver.ts";

/** Asserts that a call is refused, before anything runs, with exactly these words. */
export async function assertRefused(server: Connection, tool: string, args: Record<string, unknown>, words: string): Promise<void> {
  const answer = await server.call(tool, args);
  assert.deepEqual([answer.isError, answer.text, answer.structured], [true, words, undefined]);
}
