import { LANGUAGES } from "../policy/limits.ts";
import { runEngine } from "../sandbox/engine.ts";
import type { Invocation } from "./command.ts";

/** `belljar engine LANGUAGE … RIGHT …`: the child process that holds the sandboxes; started by the server, never by hand. */
export function engine({ args }: Invocation): Promise<number> {
  runEngine(
    args.flatMap((arg) => LANGUAGES.filter((language) => language === arg)),
    args.filter((arg) => arg.startsWith("--")),
  );
  return new Promise(() => {});
}
