import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { log } from "../base/log.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { endOfLife } from "./lifetime.ts";
import { createProfile } from "./profile.ts";
import { claimOutput } from "./protocol-output.ts";
import { createServerFactory, type ServerParts } from "./server.ts";
import { createStdioTransport } from "./stdio.ts";

/** Time to free what runs before the process ends anyway. */
const LAST_MS = 500;

/** Serves one client on standard input and output until nobody is left to serve; then all is freed. */
export async function serve(parts: ServerParts): Promise<void> {
  const output = claimOutput();
  const profile = parts.settings.profile ? createProfile() : undefined;
  const transport = createStdioTransport({ input: process.stdin, output, ...(profile && { profile }) });
  const life = endOfLife({
    input: process.stdin,
    output,
    unanswered: transport.unanswered,
    parent: () => process.ppid,
  });
  const server = serveStdio(createServerFactory({ ...parts, ...(profile && { profile }) }), { transport, onerror: (error) => log(error.message) });
  await life;
  await Promise.race([close(server, parts.sandboxes), new Promise((done) => setTimeout(done, LAST_MS))]);
}

async function close(server: { close(): Promise<void> }, sandboxes: Promise<Sandboxes>): Promise<void> {
  const opened = sandboxes.then(
    (all) => all[Symbol.asyncDispose](),
    () => undefined,
  );
  await Promise.all([server.close(), opened]);
}
