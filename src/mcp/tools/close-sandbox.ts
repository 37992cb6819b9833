import * as z from "zod";
import { remarks, sentences } from "../../policy/sentences.ts";
import { argumentsOf, sandboxName } from "../arguments.ts";
import { refused, shaped } from "../content.ts";
import { defineTool, type Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that ends a named sandbox, also while something runs in it. */
export function closeSandbox(): Tool {
  const { sandbox, ...words } = TOOL_WORDS.closeSandbox;
  return defineTool({
    ...words,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    arguments: argumentsOf({ sandbox: sandboxName("sandbox", sandbox) }),
    output: z.object({ sandbox: z.string(), closed: z.literal(true) }),
    handle: async ({ sandbox: name }, { sandboxes, shape }) => {
      const all = await sandboxes;
      if (await all.close(name)) {
        return shaped({ text: remarks.closed(name), structured: { sandbox: name, closed: true }, shape });
      }
      const names = (await all.list()).map((info) => info.name);
      return refused(sentences.noSandbox(name, names));
    },
  });
}
