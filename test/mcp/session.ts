import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createServerFactory } from "../../src/mcp/server.ts";
import { createStdioTransport } from "../../src/mcp/stdio.ts";
import { NO_GRANTS } from "../../src/policy/grants.ts";
import { LIMITS } from "../../src/policy/limits.ts";
import type { Settings } from "../../src/policy/settings.ts";
import type { Sandboxes } from "../../src/sandbox/sandboxes.ts";
import { fakeSandboxes } from "./fake-sandboxes.ts";

export const settings: Settings = {
  limits: {
    timeout: LIMITS.timeout.default,
    fuel: LIMITS.fuel.default,
    pythonMemory: LIMITS.pythonMemory.default,
    javascriptMemory: LIMITS.javascriptMemory.default,
    output: LIMITS.output.default,
    files: LIMITS.files.default,
    writtenBytes: LIMITS.writtenBytes.default,
    madeFiles: LIMITS.madeFiles.default,
    openFiles: LIMITS.openFiles.default,
    code: LIMITS.code.default,
    queue: LIMITS.queue.default,
    sandboxes: LIMITS.sandboxes.default,
    idle: LIMITS.idle.default,
    stored: LIMITS.stored.default,
    kept: LIMITS.kept.default,
    keptTime: LIMITS.keptTime.default,
    netBytes: LIMITS.netBytes.default,
    netHeaders: LIMITS.netHeaders.default,
    netTimeout: LIMITS.netTimeout.default,
    netRequests: LIMITS.netRequests.default,
    netParallel: LIMITS.netParallel.default,
  },
  answer: "auto",
  profile: false,
  workers: 1,
  grants: NO_GRANTS,
  secretValues: {},
};

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
export type Message = z.infer<typeof messageSchema>;

const resultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), mimeType: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof resultSchema>;

export interface Session {
  /** All messages that came, in their order. */
  readonly messages: readonly Message[];
  /** Writes bytes as they are. */
  readonly raw: (bytes: string | Uint8Array) => void;
  readonly notify: (method: string, params?: Record<string, unknown>) => void;
  /** Sends a request and resolves with its response. */
  readonly request: (method: string, params?: Record<string, unknown>) => Promise<Message>;
  readonly call: (name: string, args?: unknown, meta?: Record<string, unknown>) => Promise<ToolResult>;
  /** Resolves with the first message, come or to come, that fits. */
  readonly waitFor: (fits: (message: Message) => boolean) => Promise<Message>;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  readonly sandboxes?: Sandboxes | Promise<Sandboxes>;
  readonly settings?: Partial<Settings>;
  readonly clientName?: string;
  readonly longest?: number;
  /** False leaves the handshake to the test. */
  readonly handshake?: boolean;
}

/** A client in memory that speaks bare JSON-RPC, so that what the server writes is seen as it is. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: Message[] = [];
  const arrivals = new EventTarget();
  createInterface({ input: output }).on("line", (line) => {
    messages.push(messageSchema.parse(JSON.parse(line)));
    arrivals.dispatchEvent(new Event("message"));
  });
  const transport = createStdioTransport({ input, output, ...(options.longest && { longest: options.longest }) });
  const factory = createServerFactory({
    version: "1.2.3",
    settings: { ...settings, ...options.settings },
    sandboxes: Promise.resolve(options.sandboxes ?? fakeSandboxes()),
  });
  const handle = serveStdio(factory, { transport });

  let nextId = 0;
  const raw = (bytes: string | Uint8Array): void => void input.write(bytes);
  const send = (message: object): void => raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const waitFor: Session["waitFor"] = async (fits) => {
    for (;;) {
      const found = messages.find(fits);
      if (found !== undefined) return found;
      await once(arrivals, "message");
    }
  };
  const request: Session["request"] = (method, params) => {
    nextId += 1;
    const id = nextId;
    send({ id, method, ...(params && { params }) });
    return waitFor((message) => message.id === id && message.method === undefined);
  };
  const session: Session = {
    messages,
    raw,
    notify: (method, params) => send({ method, ...(params && { params }) }),
    request,
    call: async (name, args, meta) => {
      const { result, error } = await request("tools/call", { name, arguments: args, ...(meta && { _meta: meta }) });
      if (error !== undefined) throw new Error(error.message);
      return resultSchema.parse(result);
    },
    waitFor,
    close: () => handle.close(),
  };
  if (options.handshake !== false) {
    const clientInfo = { name: options.clientName ?? "test", version: "1" };
    await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    session.notify("notifications/initialized");
  }
  return session;
}

/** The text of an answer, which must be its only text. */
export function textOf(result: ToolResult): string {
  const texts = result.content.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length !== 1) throw new Error(`expected one text, got ${String(texts.length)}`);
  return texts.join();
}
