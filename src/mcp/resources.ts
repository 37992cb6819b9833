import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { refusals } from "../policy/sentences.ts";
import type { KeptFile, KeptFiles } from "./kept-files.ts";

/** Types whose content a reader wants as text; all else is base64. */
const TEXT = /^text\/|[/+](?:json|xml|yaml|javascript|typescript)$/u;

/** Lets a client list and read what answers left behind. */
export function serveResources(server: Server, kept: KeptFiles): void {
  server.setRequestHandler("resources/list", () => ({
    resources: kept.list().map(({ uri, path, mimeType, bytes }) => ({ uri, name: path, mimeType, size: bytes.length })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      { uriTemplate: "belljar://{run}/{+path}", name: "files of a run", description: "What a run left under /work." },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const file = kept.read(uri);
    if (file === undefined) throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, refusals.unknownResource(uri));
    return { contents: [contentOf(file)] };
  });
}

function contentOf({ uri, mimeType, bytes }: KeptFile) {
  if (TEXT.test(mimeType)) {
    try {
      return { uri, mimeType, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      // Called text, but not UTF-8: its bytes say more than a broken string.
    }
  }
  return { uri, mimeType, blob: Buffer.from(bytes).toString("base64") };
}
