import { refuseName } from "../mcp/arguments.ts";
import type { Language } from "../policy/limits.ts";
import type { Outcome } from "../policy/outcome.ts";
import { remarks, usage } from "../policy/sentences.ts";
import type { Settings } from "../policy/settings.ts";
import type { Finished, RunRequest } from "../sandbox/sandboxes.ts";
import type { Invocation } from "./command.ts";
import { type CommandLine } from "./flags.ts";
import { misuse } from "./misuse.ts";
import { saveResults } from "./out-folder.ts";

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

/** Writes what the run left to the folder of `--out`; what there is to say of it, line by line. */
export async function keepResults({ values }: CommandLine, finished: Finished): Promise<string[]> {
  const folder = values.get("out");
  const { files, pictures } = finished;
  if (files.length + pictures.length === 0) return [];
  return folder === undefined ? [remarks.resultsLeft(files.length, pictures.length)] : saveResults(folder, finished);
}

/** Output goes where output goes, the result after it; what else there is to say, of `results` too, goes to stderr. */
export function print({ outcome }: Finished, { stdout, stderr }: Pick<Invocation, "stdout" | "stderr">, results: readonly string[]): void {
  stdout.write(outcome.stdout);
  if (outcome.repr !== undefined) {
    stdout.write(`${outcome.stdout === "" || outcome.stdout.endsWith("\n") ? "" : "\n"}${outcome.repr}\n`);
  }
  stderr.write(outcome.stderr);
  const said = [
    ...failure(outcome),
    ...(outcome.truncated?.length ? [remarks.keptLess(outcome.truncated)] : []),
    ...(outcome.notes ?? []),
    ...results,
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
