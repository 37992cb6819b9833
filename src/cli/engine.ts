import { runEngine } from "../sandbox/engine.ts";
import type { Invocation } from "./command.ts";

/** `belljar engine RIGHT …`: the child process that holds the sandboxes; started by the server, never by hand. */
export function engine({ args }: Invocation): Promise<number> {
  runEngine(args);
  return new Promise(() => {});
}
