import { PassThrough } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Settings } from "../policy/settings.ts";
import { createServerFactory } from "./server.ts";
import { createStdioTransport } from "./stdio.ts";

/** What clients begin with. The call is one that is refused, so that it needs no sandbox. */
const REQUESTS = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "belljar", version: "1" } } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "execute_python", arguments: {} } },
];

/**
 * A handshake, a tool list and a call between this process and itself: what a server loads, makes and compiles at its first
 * requests is there afterwards, and nothing else of them.
 */
export async function rehearse(version: string, settings: Settings): Promise<void> {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  const sandboxes = new Promise<never>(() => {});
  const server = serveStdio(createServerFactory({ version, settings, sandboxes }), { transport: createStdioTransport({ input, output }) });
  let left = REQUESTS.filter((request) => "id" in request).length;
  const answered = new Promise<void>((resolve) => {
    output.on("data", () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  for (const request of REQUESTS) input.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
  await answered;
  await server.close();
}
