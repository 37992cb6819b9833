import * as z from "zod";
import { refusals, remarks } from "../../policy/sentences.ts";
import { argumentsOf, text } from "../arguments.ts";
import { refused, shaped } from "../content.ts";
import { defineTool, type Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that stops what waits or runs. */
export function killExecution(): Tool {
  const { executionId, ...words } = TOOL_WORDS.killExecution;
  return defineTool({
    ...words,
    // Ends a run for good, so a client may well ask its user first.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    arguments: argumentsOf({ execution_id: text("execution_id", executionId) }),
    output: z.object({ execution_id: z.string(), stopping: z.literal(true) }),
    handle: async ({ execution_id }, { sandboxes, shape }) => {
      if (!(await sandboxes).kill(execution_id)) return refused(refusals.unknownExecution(execution_id));
      return shaped({ text: remarks.stopped(execution_id), structured: { execution_id, stopping: true }, shape });
    },
  });
}
