import { FLAG_ROWS } from "./flags.ts";

const USES = [
  ["belljar", "the same as belljar serve"],
  ["belljar serve", "serve MCP on standard input and output"],
  ["belljar run FILE | -c CODE | -", "run code; --lang=python|javascript, --json for the whole outcome, --sandbox=NAME to go on in a stored one"],
  ["belljar repl python|javascript", "a session line by line; :help in it tells more"],
  ["belljar doctor", "try out what is inside, and list its versions"],
  ["belljar --version, --help", "tell the version, or this"],
] as const;

/** The text of `belljar --help`. */
export function helpText(): string {
  const uses = rows(USES);
  const flags = rows(FLAG_ROWS.map((row) => [`--${row.flag}`, `${row.words}; default ${row.default}`]));
  return [
    "Belljar runs Python and JavaScript in sealed sandboxes.",
    "",
    "Commands",
    ...uses,
    "",
    "Flags of serve, run, repl and doctor, as --flag=value",
    ...flags,
    "",
    "Each flag is also a variable: --timeout-ms is BELLJAR_TIMEOUT_MS. Flags win.",
    "Exit codes of run: 0 ok, 1 error, 2 wrong use, 124 timeout, 137 memory or fuel, 130 interrupted.",
    "",
  ].join("\n");
}

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
