import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import type { Language } from "./peers.ts";

const answerSchema = z.object({ content: z.array(z.looseObject({ text: z.string().optional() })), isError: z.boolean().optional() });

/** An MCP server on standard input and output, and the SDK's client of version 1: Belljar and the others through the same door. */
export interface Served extends AsyncDisposable {
  readonly pid: number;
  /** The text of the answer. @throws when it is told as an error. */
  readonly call: (language: Language, code: string) => Promise<string>;
}

export async function serve(command: string, args: readonly string[], cwd: string): Promise<Served> {
  const transport = new StdioClientTransport({ command, args: [...args], cwd, env: { HOME: cwd }, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    call: async (language, code) => {
      const answer = await client.callTool({ name: `execute_${language}`, arguments: { code } }, undefined, { timeout: 300_000 });
      const { content, isError = false } = answerSchema.parse(answer);
      const text = content.flatMap((part) => part.text ?? []).join("\n");
      if (isError) throw new Error(text);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
