import * as z from "zod";
import { LANGUAGES } from "../../policy/limits.ts";
import { executionLine, remarks } from "../../policy/sentences.ts";
import { argumentsOf } from "../arguments.ts";
import { shaped } from "../content.ts";
import type { Execution } from "../../sandbox/sandboxes.ts";
import { defineTool, type Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that tells what waits and runs. */
export function listExecutions(): Tool {
  return defineTool({
    ...TOOL_WORDS.listExecutions,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    arguments: argumentsOf({}),
    output: z.object({
      executions: z.array(
        z.object({
          id: z.string().describe("for kill_execution"),
          language: z.enum(LANGUAGES),
          sandbox: z.string().optional().describe("name of the sandbox it runs in; absent when it has one of its own"),
          state: z.enum(["queued", "running"]),
          elapsed_ms: z.number().describe("milliseconds since the call came"),
        }),
      ),
    }),
    handle: async (_, { sandboxes, shape }) => {
      const executions = (await sandboxes).executions().map(toldOf);
      const lines = executions.map(executionLine);
      return shaped({ text: lines.join("\n") || remarks.noExecutions(), structured: { executions }, shape });
    },
  });
}

function toldOf({ id, language, sandbox, state, elapsedMs }: Execution) {
  return { id, language, ...(sandbox === undefined ? {} : { sandbox }), state, elapsed_ms: Math.round(elapsedMs) };
}
