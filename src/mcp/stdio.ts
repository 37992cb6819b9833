import type { Readable, Writable } from "node:stream";
import { serializeMessage, type Transport } from "@modelcontextprotocol/server";
import { createLineReader } from "./lines.ts";
import { readMessage, refuseHuge } from "./messages.ts";
import type { Profile } from "./profile.ts";

/** Bytes of one message: far over the limit of the code, so that the refusal of long code can name its number. */
const LONGEST_MESSAGE = 320 * 1_024 * 1_024;

export interface StdioParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Largest message in bytes; a longer one is refused, and reading goes on. */
  readonly longest?: number;
  readonly profile?: Profile;
}

/** A transport that knows how many requests, and of these calls, it has taken in and not yet answered. */
export interface StdioTransport extends Transport {
  readonly unanswered: () => { readonly all: number; readonly calls: number };
}

/**
 * MCP on two streams, one JSON-RPC message a line (specification, basic/transports). The SDK's own
 * transport drops what is not JSON and ends at 10 MB; this one tells the client, and goes on.
 */
export function createStdioTransport({ input, output, longest = LONGEST_MESSAGE, profile }: StdioParts): StdioTransport {
  const open = new Map<string | number, { readonly isCall: boolean }>();
  let closed = false;

  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(text, (error) => (error ? reject(error) : resolve()));
    });
  const read = createLineReader(longest, (line) => {
    const reading = "size" in line ? refuseHuge(line.size, longest, line.ends) : readMessage(line.bytes);
    if (reading === undefined) return;
    if ("refusal" in reading) {
      const { id, code, message } = reading.refusal;
      // A client that is gone is noticed by the one who watches the streams.
      write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`).catch(() => {});
      return;
    }
    const { message } = reading;
    if ("method" in message && "id" in message) {
      open.set(message.id, { isCall: message.method === "tools/call" });
      profile?.arrived(message.id);
    }
    // A cancelled request gets no answer.
    if ("method" in message && message.method === "notifications/cancelled") forget(message.params?.["requestId"]);
    transport.onmessage?.(message);
  });
  const forget = (id: unknown): void => {
    if (typeof id !== "string" && typeof id !== "number") return;
    open.delete(id);
    profile?.answered(id);
  };
  const onData = (chunk: Uint8Array): void => read(chunk);

  const transport: StdioTransport = {
    unanswered: () => ({ all: open.size, calls: [...open.values()].filter(({ isCall }) => isCall).length }),
    start: async () => {
      input.on("data", onData);
    },
    send: async (message) => {
      if (closed) return;
      await write(serializeMessage(message));
      if (!("method" in message)) forget(message.id);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      input.off("data", onData);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}
