import { type Grants, isGranted } from "../../policy/grants.ts";
import { grantLines } from "../../policy/grant-words.ts";

/** What models read before they choose a tool; a changed word shows in the snapshot of the tool list. `reach` says what there is of network and files. */
export const TOOL_WORDS = {
  executePython: {
    name: "execute_python",
    title: "Run Python",
    describe: (reach: string): string => [
      "Runs Python 3 in a sealed sandbox and answers with the value of the last expression, what was printed, and the figures that were drawn.",
      "numpy, pandas, scipy, scikit-learn, statsmodels, matplotlib, sympy, Pillow, lxml and sqlite3 are inside; nothing can be installed.",
      `Each call starts fresh, unless sandbox names one that is kept. ${reach}; /work and /tmp are in memory. Top-level await works.`,
    ].join(" "),
    code: "Python to run; end with an expression to get its value back",
  },
  executeJavascript: {
    name: "execute_javascript",
    title: "Run JavaScript",
    describe: (reach: string): string => [
      "Runs JavaScript or TypeScript (types are stripped) in a sealed sandbox and answers with the completion value and what console printed.",
      `Starts in milliseconds. Each call starts fresh, unless sandbox names one that is kept. ${reach}; nothing can be installed. Top-level await works; a promise as the last value is awaited. A timer that is pending when the code of a kept sandbox is done goes on with its next run.`,
    ].join(" "),
    code: "JavaScript or TypeScript to run; end with an expression to get its value back",
  },
  listSandboxes: {
    name: "list_sandboxes",
    title: "List sandboxes",
    description: "Lists the named sandboxes that are kept: language, runs, memory, idle time, parent and children.",
  },
  forkSandbox: {
    name: "fork_sandbox",
    title: "Fork a sandbox",
    description:
      "Copies a named sandbox as it stands (variables, imports, files, everything) under a new name; both go on apart. Costs next to nothing: use it as a checkpoint before something risky, or to try several ways from one state.",
    from: "name of the sandbox to copy",
    to: "name of the copy",
    reseed: "false to let both draw the same random numbers",
  },
  closeSandbox: {
    name: "close_sandbox",
    title: "Close a sandbox",
    description: "Ends a named sandbox and frees it, stopping what runs in it. The name can be used anew.",
    sandbox: "name of the sandbox",
  },
  listExecutions: {
    name: "list_executions",
    title: "List executions",
    description: "Lists the executions of this server that wait or run, with their ids for kill_execution.",
  },
  killExecution: {
    name: "kill_execution",
    title: "Stop an execution",
    description: "Stops an execution that waits or runs. Its call is answered with what it printed so far.",
    executionId: "the id, from list_executions or from the first progress notification of the call",
  },
} as const;

const SEALED = "Belljar runs Python and JavaScript in sealed sandboxes: no network, no files of the host, no packages to install.";
const OPENED = "Belljar runs Python and JavaScript in sealed sandboxes. Of the machine there is what the user has granted, and nothing else:";

/** What a client may put before a model about the whole server: ten lines, and one for each grant. */
export function instructions(grants: Grants): string {
  const first = isGranted(grants) ? [OPENED, ...grantLines(grants)] : [SEALED];
  return [...first, ...USE].join("\n");
}

const USE = [
  "Use execute_python for data work (numpy, pandas, scipy, scikit-learn, matplotlib are inside), execute_javascript for JavaScript and TypeScript.",
  "End the code with an expression to get its value; print only what you want to read.",
  "A call starts from nothing, unless you pass a name as sandbox: it is made on first use and keeps variables, imports and files for the next call.",
  "fork_sandbox copies a named sandbox at once: a checkpoint, or a branch to try something in.",
  "A run that is stopped (timeout, fuel, memory) keeps what it printed; make the work smaller and call again. Its named sandbox lives on.",
];
