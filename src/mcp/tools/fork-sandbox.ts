import * as z from "zod";
import { isBelljarError } from "../../base/errors.ts";
import { remarks } from "../../policy/sentences.ts";
import { argumentsOf, sandboxName } from "../arguments.ts";
import { refused, shaped } from "../content.ts";
import { sandboxSchema, toldOf } from "./list-sandboxes.ts";
import { defineTool, type Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that copies a named sandbox as it stands. */
export function forkSandbox(): Tool {
  const { from, to, reseed, ...words } = TOOL_WORDS.forkSandbox;
  return defineTool({
    ...words,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    arguments: argumentsOf({
      from: sandboxName("from", from),
      to: sandboxName("to", to),
      reseed: z.boolean().default(true).describe(reseed),
    }),
    output: sandboxSchema,
    handle: async (request, { sandboxes, shape }) => {
      try {
        const made = await (await sandboxes).fork(request);
        return shaped({ text: remarks.forked(request.from, request.to), structured: toldOf(made), shape });
      } catch (error) {
        if (isBelljarError(error)) return refused(error.message);
        throw error;
      }
    },
  });
}
