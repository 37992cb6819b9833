import type { Settings } from "../../policy/settings.ts";
import { executeTool } from "./execute.ts";
import type { Tool } from "./tool.ts";
import { TOOL_WORDS } from "./words.ts";

/** The tool that runs JavaScript and TypeScript. */
export function executeJavascript(settings: Settings): Tool {
  return executeTool({ language: "javascript", ...TOOL_WORDS.executeJavascript }, settings);
}
