import type { Settings } from "../../policy/settings.ts";
import { executeTool } from "./execute.ts";
import type { Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that runs Python. */
export function executePython(settings: Settings): Tool {
  return executeTool({ language: "python", ...TOOL_WORDS.executePython }, settings);
}
