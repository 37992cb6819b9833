import { log } from "../base/log.ts";
import { LANGUAGES } from "../policy/limits.ts";
import { usage } from "../policy/sentences.ts";
import { EXIT, type Invocation, isTerminal } from "./command.ts";
import { parseCommandLine, readSettings } from "./flags.ts";
import { misuse } from "./misuse.ts";
import { open } from "./sandboxes.ts";
import { VERSION } from "./version.ts";

/** `belljar serve`: MCP on standard input and output, until nobody is left to serve. */
export async function serve({ args, env, stdin }: Invocation): Promise<number> {
  const { values, rest } = parseCommandLine(args);
  const [extra] = rest;
  if (extra !== undefined) throw misuse(usage.unexpected(extra));
  const settings = readSettings(values, env);
  if (isTerminal(stdin)) log(usage.waiting());
  // The engine starts while the protocol is still being loaded; JavaScript, which is small, comes first in it.
  const sandboxes = open(settings, LANGUAGES.toReversed());
  sandboxes.catch(() => {});
  const { serve: serveClient } = await import("../mcp/serve.ts");
  await serveClient({ version: VERSION, settings, sandboxes });
  return EXIT.ok;
}
