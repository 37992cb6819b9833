import { z } from "zod";
import { LANGUAGES } from "../../policy/limits.ts";
import { executionLine, remarks } from "../../policy/sentences.ts";
import { argumentsOf } from "../arguments.ts";
import { shaped } from "../content.ts";
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
          id: z.string(),
          language: z.enum(LANGUAGES),
          state: z.enum(["queued", "running"]),
          elapsed_ms: z.number(),
        }),
      ),
    }),
    handle: async (_, { sandboxes, shape }) => {
      const executions = (await sandboxes).executions().map(({ id, language, state, elapsedMs }) => ({
        id,
        language,
        state,
        elapsed_ms: Math.round(elapsedMs),
      }));
      const lines = executions.map(executionLine);
      return shaped({ text: lines.join("\n") || remarks.noExecutions(), structured: { executions }, shape });
    },
  });
}
