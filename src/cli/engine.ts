import { runEngine } from "../sandbox/engine.ts";

/** `belljar engine`: the child process that holds the sandboxes; started by the server, never by hand. */
export function engine(): Promise<number> {
  runEngine();
  return new Promise(() => {});
}
