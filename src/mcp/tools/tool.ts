import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Moment } from "../../base/moments.ts";
import type { Settings } from "../../policy/settings.ts";
import type { Progress, Sandboxes } from "../../sandbox/sandboxes.ts";
import type { KeptFiles } from "../kept-files.ts";
import { checkArguments } from "../arguments.ts";
import { refused, type Shape } from "../content.ts";

/** What one call of a tool may use. */
export interface CallContext {
  readonly settings: Settings;
  readonly sandboxes: Promise<Sandboxes>;
  /** What answers leave for their readers to fetch. */
  readonly kept: KeptFiles;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Set when the client asked to be told how the call goes on. */
  readonly onProgress?: (progress: Progress, totalMs: number) => void;
  /** Set when it is to be told when the stages of the call end. */
  readonly profile?: (...moments: readonly Moment[]) => void;
  /** What this client's answers carry. */
  readonly shape: Shape;
}

interface ToolData {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly output: z.ZodType;
  /** Hints to clients, each by the name that its client documents. */
  readonly hints?: Record<string, unknown>;
}

/** A tool as it is written: data, and a handler for arguments that were checked. */
export interface ToolDefinition<Fields extends z.ZodRawShape> extends ToolData {
  readonly arguments: z.ZodObject<Fields, z.core.$strict>;
  readonly handle: (
    checked: z.output<z.ZodObject<Fields, z.core.$strict>>,
    context: CallContext,
  ) => Promise<CallToolResult>;
}

/** A tool whose arguments' type is erased, so that tools of all kinds make one list. */
export interface Tool extends ToolData {
  readonly arguments: z.ZodType;
  /** Answers a call; arguments that don't fit are refused in the answer. */
  readonly call: (raw: unknown, context: CallContext) => Promise<CallToolResult>;
}

/** Puts the check of the arguments before a tool's handler. */
export function defineTool<Fields extends z.ZodRawShape>(definition: ToolDefinition<Fields>): Tool {
  const { handle, ...data } = definition;
  return {
    ...data,
    call: async (raw, context) => {
      const checked = checkArguments(definition.arguments, raw);
      return "refusal" in checked ? refused(checked.refusal) : handle(checked.value, context);
    },
  };
}
