import * as z from "zod";
import { LANGUAGES } from "../../policy/limits.ts";
import { remarks, sandboxLine } from "../../policy/sentences.ts";
import type { SandboxInfo } from "../../policy/sandbox-info.ts";
import { argumentsOf } from "../arguments.ts";
import { shaped } from "../content.ts";
import { defineTool, type Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** A named sandbox as tools tell of it. */
export const sandboxSchema = z.object({
  name: z.string(),
  language: z.enum(LANGUAGES),
  turns: z.number().describe("runs so far, those of its parent included"),
  busy: z.boolean().describe("true while a run of it waits or goes on"),
  memory_bytes: z.number().describe("bytes of its memory"),
  stored_bytes: z.number().describe("bytes that it costs of memory at rest; 0 while it is on disk alone"),
  disk_bytes: z.number().describe("bytes that it takes of the disk; 0 without a state folder"),
  idle_ms: z.number().describe("milliseconds since its last run ended"),
  parent: z.string().optional().describe("the sandbox that it was forked from"),
  children: z.array(z.string()).describe("those that were forked from it"),
});

/** The tool that tells which named sandboxes there are. */
export function listSandboxes(): Tool {
  return defineTool({
    ...TOOL_WORDS.listSandboxes,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    arguments: argumentsOf({}),
    output: z.object({ sandboxes: z.array(sandboxSchema) }),
    handle: async (_, { sandboxes, shape }) => {
      const all = await (await sandboxes).list();
      const text = all.map(sandboxLine).join("\n") || remarks.noSandboxes();
      return shaped({ text, structured: { sandboxes: all.map(toldOf) }, shape });
    },
  });
}

/** A sandbox in the words of the tools' output. */
export function toldOf(info: SandboxInfo): z.output<typeof sandboxSchema> {
  const { name, language, turns, busy, parent } = info;
  return {
    name,
    language,
    turns,
    busy,
    memory_bytes: info.memoryBytes,
    stored_bytes: info.storedBytes,
    disk_bytes: info.diskBytes,
    idle_ms: info.idleMs,
    ...(parent === undefined ? {} : { parent }),
    children: [...info.children],
  };
}
