import { refuseCode } from "../mcp/arguments.ts";
import type { Outcome, Status } from "../policy/outcome.ts";
import { remarks } from "../policy/sentences.ts";
import type { Finished } from "../sandbox/sandboxes.ts";
import { EXIT, type Invocation } from "./command.ts";
import { misuse, parseCommandLine, readSettings } from "./flags.ts";
import { open } from "./sandboxes.ts";
import { readSource } from "./source.ts";

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
    valued: ["code", "lang"],
    switches: ["json"],
    short: { "-c": "code" },
  });
  const settings = readSettings(line.values, invocation.env);
  const { language, code } = await readSource(line, invocation.stdin);
  const { limits } = settings;
  const refusal = refuseCode(language, code, limits.code);
  if (refusal !== undefined) throw misuse(refusal);

  using interrupt = onInterrupt();
  await using sandboxes = await openWith({ ...settings, workers: 1 }, [language]);
  const request = {
    language,
    code,
    timeoutMs: limits.timeout,
    fuel: limits.fuel,
    files: [],
    memoryMb: language === "python" ? limits.pythonMemory : limits.javascriptMemory,
  };
  const finished = await sandboxes.run(request, { signal: interrupt.signal });
  if (line.switches.has("json")) invocation.stdout.write(`${JSON.stringify(finished.outcome)}\n`);
  else print(finished, invocation);
  return EXIT_OF[finished.outcome.status];
}

/** A signal that a first Ctrl-C aborts; a second one ends the process as usual. */
function onInterrupt(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.once(name, abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, abort);
    },
  };
}

function print({ outcome, pictures }: Finished, { stdout, stderr }: Pick<Invocation, "stdout" | "stderr">): void {
  stdout.write(outcome.stdout);
  if (outcome.repr !== undefined) {
    stdout.write(`${outcome.stdout === "" || outcome.stdout.endsWith("\n") ? "" : "\n"}${outcome.repr}\n`);
  }
  stderr.write(outcome.stderr);
  const said = [
    ...failure(outcome),
    ...(outcome.truncated?.length ? [remarks.keptLess(outcome.truncated)] : []),
    ...(outcome.notes ?? []),
    ...(pictures.length > 0 ? [remarks.picturesNotShown(pictures.length)] : []),
  ];
  if (said.length === 0) return;
  stderr.write(`${outcome.stderr === "" || outcome.stderr.endsWith("\n") ? "" : "\n"}${said.join("\n")}\n`);
}

function failure({ error }: Outcome): string[] {
  if (error === undefined) return [];
  const told = error.message === "" ? error.type : `${error.type}: ${error.message}`;
  if (error.traceback === undefined) return [told];
  const traceback = error.traceback.trimEnd();
  return traceback.includes(told) ? [traceback] : [traceback, told];
}
