import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, describe, test } from "node:test";
import type { Language } from "../../src/policy/limits.ts";
import type { Outcome } from "../../src/policy/outcome.ts";
import { graceMs } from "../../src/sandbox/stop.ts";
import { connect, descendants, ON_DENO } from "../e2e/driver.ts";
import { type Attack, deadlineOf } from "./attack.ts";

/** What a stop may take beyond deadline and grace. */
const SLACK_MS = 100;

const server = await connect();
after(() => server[Symbol.asyncDispose]());
for (const language of ["javascript", "python"] as const) await server.run(language, "1");
const [engine] = descendants(server.pid);

const all = new Map<Language, [file: string, attack: Attack][]>([["python", []], ["javascript", []]]);
const files = readdirSync(import.meta.dirname).filter((name) => !["attack.ts", "exchanger.ts"].includes(name) && !name.endsWith(".test.ts"));
for (const file of files) {
  const { attacks }: { attacks: readonly Attack[] } = await import(`./${file}`);
  for (const attack of attacks) all.get(attack.language)?.push([file.slice(0, -3), attack]);
}

describe("code that attacks is held, and the next call works", { concurrency: all.size }, () => {
  for (const [language, list] of all) {
    describe(language, { concurrency: 1 }, () => {
      for (const [file, attack] of list) test(`${file}: ${language} that ${attack.title}`, () => hold(attack));
    });
  }
});

async function hold(attack: Attack): Promise<void> {
  const { language, status, also } = attack;
  const timeoutMs = deadlineOf(attack);
  const first = await launch(attack);
  // A machine that is busy elsewhere can make any run late, but hardly twice in a row.
  const outcome = isLate(first, timeoutMs) ? await launch(attack) : first;
  assert.ok(!isLate(outcome, timeoutMs), `${outcome.usage.wall_ms} ms at a deadline of ${timeoutMs}, as before: ${first.usage.wall_ms}`);
  assert.ok([status].flat().includes(outcome.status), `${outcome.status}: ${JSON.stringify(outcome.error)} ${outcome.stderr}`);
  also?.(outcome);
  await checkNext(language);
}

async function launch(attack: Attack): Promise<Outcome> {
  return server.run(attack.language, attack.code, { timeout_ms: deadlineOf(attack) });
}

function isLate({ usage }: Outcome, timeoutMs: number): boolean {
  return usage.wall_ms > timeoutMs + graceMs(timeoutMs) + SLACK_MS;
}

/** The engine is the one that it was, and a new sandbox knows nothing of the attack. */
async function checkNext(language: Language): Promise<void> {
  const { status, result, stdout, stderr, error } = await server.run(language, "6 * 7");
  assert.deepEqual({ status, result, stdout, stderr, error }, { status: "ok", result: 42, stdout: "", stderr: "", error: undefined });
  if (!ON_DENO) assert.deepEqual(descendants(server.pid), [engine]);
}
