import type { Settings } from "../../policy/settings.ts";
import { closeSandbox } from "./close-sandbox.ts";
import { executeJavascript } from "./execute-javascript.ts";
import { executePython } from "./execute-python.ts";
import { forkSandbox } from "./fork-sandbox.ts";
import { killExecution } from "./kill-execution.ts";
import { listExecutions } from "./list-executions.ts";
import { listSandboxes } from "./list-sandboxes.ts";
import type { Tool } from "./tool.ts";

/** All tools of a server, sorted by name. */
export function createTools(settings: Settings): readonly Tool[] {
  const tools = [
    executeJavascript(settings),
    executePython(settings),
    killExecution(),
    listExecutions(),
    listSandboxes(),
    forkSandbox(),
    closeSandbox(),
  ];
  return tools.sort((one, other) => (one.name < other.name ? -1 : 1));
}
