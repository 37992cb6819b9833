import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type McpServerFactory,
  type ServerContext,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isBelljarError, messageOf } from "../base/errors.ts";
import { log } from "../base/log.ts";
import { refusals } from "../policy/sentences.ts";
import type { Settings } from "../policy/settings.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { createKeptFiles } from "./kept-files.ts";
import { serveResources } from "./resources.ts";
import { refused, shapeFor, type Shape } from "./content.ts";
import type { Profile } from "./profile.ts";
import { progressSender } from "./progress.ts";
import { createTools } from "./tools/tools.ts";
import type { Tool } from "./tools/tool.ts";
import { instructions } from "./tools/words.ts";

const named = z.object({ name: z.string() });

/** What a server is made from. */
export interface ServerParts {
  readonly version: string;
  readonly settings: Settings;
  /** May still be opening: the handshake and the tool list don't wait for it, calls do. */
  readonly sandboxes: Promise<Sandboxes>;
  readonly profile?: Profile;
}

/** A factory of servers for both protocol eras; all that it makes share the one set of sandboxes. */
export function createServerFactory({ version, settings, sandboxes, profile }: ServerParts): McpServerFactory {
  const tools = createTools(settings);
  const kept = createKeptFiles({ maxBytes: settings.limits.kept, maxMs: settings.limits.keptTime * 60_000 });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  return () => {
    const server = new Server(
      { name: "belljar", title: "Belljar", version },
      { capabilities: { tools: {}, resources: {} }, instructions: instructions(settings.grants) },
    );
    const shapeOf = (context: ServerContext): Shape => shapeFor(settings.answer, clientName(server, context));

    server.setRequestHandler("tools/list", (_, context) => {
      const shape = shapeOf(context);
      return { tools: tools.map((tool) => listed(tool, shape)) };
    });

    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = byName.get(params.name);
      if (tool === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusals.unknownTool(params.name, [...byName.keys()]));
      }
      const { id, signal } = context.mcpReq;
      const onProgress = progressSender(context);
      return guarded(() =>
        tool.call(params.arguments, {
          settings,
          sandboxes,
          kept,
          signal,
          shape: shapeOf(context),
          ...(onProgress && { onProgress }),
          ...(profile && { profile: (...moments) => profile.add(id, ...moments) }),
        }),
      );
    });
    serveResources(server, kept, settings.grants.packages);
    return server;
  };
}

/** A fault of Belljar's own is answered too, and said to be one. */
async function guarded(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await call();
  } catch (error) {
    if (isBelljarError(error, "REFUSED")) return refused(error.message);
    const reason = messageOf(error);
    log(error instanceof Error ? (error.stack ?? reason) : reason);
    return refused(refusals.fault(reason));
  }
}

function listed(tool: Tool, shape: Shape): ListedTool {
  const { name, title, description, annotations, hints } = tool;
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(tool.arguments),
    // A client that was promised structured content refuses an answer without it.
    ...(shape === "text" ? {} : { outputSchema: objectSchema(tool.output) }),
    annotations: { title, ...annotations },
    ...(hints === undefined ? {} : { _meta: hints }),
  };
}

/** The JSON Schema of an object, without `$schema`: the protocol's dialect is the default, and some validators know no other. */
function objectSchema(schema: z.ZodType): ListedTool["inputSchema"] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      // The range of safe integers tells a model nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return JSON.parse(JSON.stringify({ ...json, type: "object" }));
}

/** The client's name: in the request itself since revision 2026-07-28, from the handshake before. */
function clientName(server: Server, context: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
  const told = named.safeParse(envelope[CLIENT_INFO_META_KEY]);
  return told.success ? told.data.name : server.getClientVersion()?.name;
}
