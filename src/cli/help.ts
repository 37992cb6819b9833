import { MCP_CLIENTS } from "./clients.ts";
import { FLAG_ROWS } from "./flag-rows.ts";

const USES = [
  ["belljar", "the same as belljar serve"],
  ["belljar serve", "serve MCP on standard input and output"],
  ["belljar run FILE | -c CODE | -", "run code from a file, the command line, or standard input"],
  ["    --lang=python|javascript", "its language, when no file's ending tells it (python)"],
  ["    --json", "print the whole outcome as one line of JSON"],
  ["    --out=DIR", "write the files and pictures that the run left to that folder"],
  ["    --sandbox=NAME", "go on in the sandbox of that name; needs --state-dir"],
  ["belljar repl [python|javascript]", "a session line by line; :help in it tells more"],
  ["    --out=DIR, --sandbox=NAME", "as for run"],
  ["belljar doctor", "try out what is inside, and list its versions"],
  ["belljar install CLIENT", `put this Belljar, with the flags given, into a client's settings: ${Object.keys(MCP_CLIENTS).join(", ")}`],
  ["    --print", "print the settings and write nothing"],
  ["belljar packages add NAME …", "fetch pure-Python packages, and npm:NAME for JavaScript, into the folder of --packages=DIR"],
  ["belljar schema", "print the JSON schema of the config file"],
  ["belljar licences", "print the licences of all that is inside"],
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
    "Flags of serve, run, repl, doctor and install, as --flag=value",
    ...flags,
    "",
    "Each of these flags is also a variable: --timeout-ms is BELLJAR_TIMEOUT_MS. Flags win.",
    "Exit codes of run: 0 ok, 1 error, 2 wrong use, 124 timeout, 137 memory or fuel, 130 interrupted.",
    "",
  ].join("\n");
}

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
