import { refuseCode } from "../mcp/arguments.ts";
import type { Killer } from "../policy/killers.ts";
import type { Status } from "../policy/outcome.ts";
import { EXIT, type Invocation } from "./command.ts";
import { parseCommandLine, readSettings } from "./flags.ts";
import { misuse } from "./misuse.ts";
import { open } from "./sandboxes.ts";
import { readSource } from "./source.ts";
import { keepResults, print, requestOf, sandboxOf } from "./turn.ts";

const EXIT_OF: Readonly<Record<Status, number>> = {
  ok: EXIT.ok,
  error: EXIT.error,
  timeout: EXIT.timeout,
  out_of_fuel: EXIT.exhausted,
  out_of_memory: EXIT.exhausted,
  killed: EXIT.interrupted,
  crashed: EXIT.error,
};

/** `belljar run`: one piece of code, its output where output goes, its ending as the exit code. */
export async function run(invocation: Invocation, openWith: typeof open = open): Promise<number> {
  const line = parseCommandLine(invocation.args, {
    valued: ["code", "lang", "sandbox", "out"],
    switches: ["json"],
    short: { "-c": "code" },
  });
  const settings = readSettings(line.values, invocation.env);
  const { language, code } = await readSource(line, invocation.stdin);
  const { limits } = settings;
  const refusal = refuseCode(language, code, limits.code);
  if (refusal !== undefined) throw misuse(refusal);
  const sandbox = sandboxOf(line, settings);

  using interrupt = onInterrupt();
  await using sandboxes = await openWith({ ...settings, workers: 1 }, [language]);
  const request = { ...requestOf(language, code, limits), ...(sandbox === undefined ? {} : { sandbox }) };
  const finished = await sandboxes.run(request, { signal: interrupt.signal });
  const results = await keepResults(line, finished);
  if (line.switches.has("json")) invocation.stdout.write(`${JSON.stringify(finished.outcome)}\n`);
  else print(finished, invocation, results);
  return EXIT_OF[finished.outcome.status];
}

/** A signal that a first Ctrl-C aborts; a second one ends the process as usual. */
function onInterrupt(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort("interrupt" satisfies Killer);
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.once(name, abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, abort);
    },
  };
}
