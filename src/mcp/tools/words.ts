/** What models read before they choose a tool; a changed word shows in the snapshot of the tool list. */
export const TOOL_WORDS = {
  executePython: {
    name: "execute_python",
    title: "Run Python",
    description: [
      "Runs Python 3 in a sealed sandbox and answers with the value of the last expression, what was printed, and the figures that were drawn.",
      "numpy, pandas, scipy, scikit-learn, statsmodels, matplotlib, sympy, Pillow, lxml and sqlite3 are inside; nothing can be installed.",
      "Each call starts fresh: no variable or file is kept. There is no network, and no file of the host; /work and /tmp are in memory. Top-level await works.",
    ].join(" "),
    code: "Python to run; end with an expression to get its value back",
  },
  executeJavascript: {
    name: "execute_javascript",
    title: "Run JavaScript",
    description: [
      "Runs JavaScript or TypeScript (types are stripped) in a sealed sandbox and answers with the completion value and what console printed.",
      "Starts in milliseconds. Each call starts fresh. There is no network, no file of the host, and no npm. Top-level await works; a promise as the last value is awaited.",
    ].join(" "),
    code: "JavaScript or TypeScript to run; end with an expression to get its value back",
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

/** What a client may put before a model about the whole server; at most ten lines. */
export const INSTRUCTIONS = [
  "Belljar runs Python and JavaScript in sealed sandboxes: no network, no files of the host, no packages to install.",
  "Use execute_python for data work (numpy, pandas, scipy, scikit-learn, matplotlib are inside), execute_javascript for JavaScript and TypeScript.",
  "End the code with an expression to get its value; print only what you want to read.",
  "Every call starts from nothing: put all that belongs together into one call.",
  "A run that is stopped (timeout, fuel, memory) keeps what it printed; make the work smaller and call again.",
].join("\n");
