import { Console } from "node:console";
import { Writable } from "node:stream";

/** Taken as this module is loaded: what a start-up snapshot leaves of the console has it no more. */
const NodeConsole = Console;

/**
 * Takes standard output for the protocol alone: whatever else this process prints, by console or by
 * writing there, goes to standard error from now on.
 */
export function claimOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => {
      write(chunk, (error) => done(error));
    },
  });
  stdout.on("error", (error) => output.destroy(error));
  // Nobody may read the log, which is no reason to end.
  stderr.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  globalThis.console = new NodeConsole(stderr, stderr);
  return output;
}
