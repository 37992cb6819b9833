import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { isBelljarError } from "../base/errors.ts";
import { openHistory } from "../host/state/history-file.ts";
import { refuseCode, refuseName } from "../mcp/arguments.ts";
import type { Killer } from "../policy/killers.ts";
import { session, usage } from "../policy/sentences.ts";
import { EXIT, type Invocation, isTerminal } from "./command.ts";
import { parseCommandLine, readSettings } from "./flags.ts";
import { misuse } from "./misuse.ts";
import { replCommand, type ReplState } from "./repl-commands.ts";
import { open } from "./sandboxes.ts";
import { languageNamed } from "./source.ts";
import { keepResults, print, requestOf, sandboxOf } from "./turn.ts";
import { isUnfinished } from "./unfinished.ts";

const PROMPT = "> ";
const MORE = "… ";
const LONGEST_HISTORY = 1_000;

/** `belljar repl`: a session in one sandbox, line by line, until the input ends. */
export async function repl(invocation: Invocation, openWith: typeof open = open): Promise<number> {
  const { args, env, stdin, stdout, stderr } = invocation;
  const line = parseCommandLine(args, { valued: ["sandbox", "out"] });
  const [named = "python", extra] = line.rest;
  if (extra !== undefined) throw misuse(usage.unexpected(extra));
  const language = languageNamed("The language", named);
  const settings = readSettings(line.values, env);
  const name = sandboxOf(line, settings) ?? `repl-${language}`;
  await using sandboxes = await openWith({ ...settings, workers: 1 }, [language]);
  const state: ReplState = { language, settings, sandboxes, name, ended: false };

  let code = "";
  let running: AbortController | undefined;
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
  const terminal = isTerminal(input) && stdout instanceof Writable;
  // Nothing is written without a folder to write to.
  const history = terminal && settings.stateDir !== undefined ? openHistory(settings.stateDir, language) : undefined;
  const shown = { prompt: PROMPT, history: [...(history?.lines ?? [])], historySize: LONGEST_HISTORY, removeHistoryDuplicates: true };
  const lines = createInterface({ input, ...(stdout instanceof Writable && terminal ? { ...shown, output: stdout } : {}), terminal });
  const prompt = (text: string): void => {
    lines.setPrompt(text);
    if (terminal) lines.prompt();
  };
  const interrupt = (): void => {
    running?.abort("interrupt" satisfies Killer);
    if (running !== undefined) return;
    code = "";
    if (!terminal) return;
    stdout.write("\n");
    for (const name of ["e", "u"]) lines.write(null, { ctrl: true, name });
    prompt(PROMPT);
  };

  const play = async (): Promise<void> => {
    const whole = code;
    code = "";
    const refusal = refuseCode(language, whole, settings.limits.code);
    if (refusal !== undefined) return void stderr.write(`${refusal}\n`);
    running = new AbortController();
    const request = { ...requestOf(language, whole, settings.limits), sandbox: state.name };
    const finished = await sandboxes.run(request, { signal: running.signal });
    print(finished, invocation, await keepResults(line, finished));
  };
  const take = async (text: string): Promise<void> => {
    if (code === "" && text.startsWith(":")) {
      const [, word = ""] = text.trim().split(/\s+/);
      const refusal = word === "" ? undefined : refuseName("The name", word);
      const said = refusal ?? (await replCommand(state, text));
      return void stdout.write(said === "" ? "" : `${said}\n`);
    }
    if (code === "" && text.trim() === "") return;
    code = code === "" ? text : `${code}\n${text}`;
    if (!isUnfinished(language, code)) await play();
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isBelljarError(error)) throw error;
      stderr.write(`${error.message}\n`);
    } finally {
      running = undefined;
    }
  };

  if (terminal) stdout.write(`${session.greeting(language)}\n`);
  lines.on("SIGINT", interrupt);
  process.on("SIGINT", interrupt);
  try {
    prompt(PROMPT);
    for await (const text of lines) {
      history?.add(text);
      await guarded(() => take(text));
      if (state.ended) break;
      prompt(code === "" ? PROMPT : MORE);
    }
    if (code !== "" && !state.ended) await guarded(play);
  } finally {
    process.off("SIGINT", interrupt);
    lines.close();
  }
  return EXIT.ok;
}
