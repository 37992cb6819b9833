import { refuseName } from "../mcp/arguments.ts";
import type { Language } from "../policy/limits.ts";
import type { Outcome } from "../policy/outcome.ts";
import { remarks, usage } from "../policy/sentences.ts";
import type { Settings } from "../policy/settings.ts";
import type { Finished, RunRequest } from "../sandbox/sandboxes.ts";
import type { Invocation } from "./command.ts";
import { type CommandLine } from "./flags.ts";
import { misuse } from "./misuse.ts";

/** A turn with all that the settings give. */
export function requestOf(language: Language, code: string, limits: Settings["limits"]): RunRequest {
  return {
    language,
    code,
    timeoutMs: limits.timeout,
    fuel: limits.fuel,
    files: [],
    memoryMb: language === "python" ? limits.pythonMemory : limits.javascriptMemory,
  };
}

/** The sandbox to run in, which only a state folder keeps until the next command. */
export function sandboxOf({ values }: CommandLine, { stateDir }: Settings): string | undefined {
  const name = values.get("sandbox");
  if (name === undefined) return undefined;
  const refusal = refuseName("--sandbox", name);
  if (refusal !== undefined) throw misuse(refusal);
  if (stateDir === undefined) throw misuse(usage.needsStateDir());
  return name;
}

/** Output goes where output goes, the result after it; what else there is to say goes to stderr. */
export function print({ outcome, pictures }: Finished, { stdout, stderr }: Pick<Invocation, "stdout" | "stderr">): void {
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
