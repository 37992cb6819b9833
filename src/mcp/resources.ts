import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { PackagesGrant } from "../policy/grants.ts";
import { refusals } from "../policy/sentences.ts";
import type { KeptFile, KeptFiles } from "./kept-files.ts";

/** Types whose content a reader wants as text; all else is base64. */
const TEXT = /^text\/|[/+](?:json|xml|yaml|javascript|typescript)$/u;

/** Lists the packages that the user has put where code can import them. */
const PACKAGES_URI = "belljar://packages";

/** Lets a client list and read what answers left behind, and which packages there are. */
export function serveResources(server: Server, kept: KeptFiles, packages: PackagesGrant | undefined): void {
  const listing = packages && { uri: PACKAGES_URI, mimeType: "application/json", text: JSON.stringify({ packages: packages.inside, refused: packages.refused }, undefined, 2) };
  server.setRequestHandler("resources/list", () => ({
    resources: [
      ...(listing === undefined ? [] : [{ uri: listing.uri, name: "packages", mimeType: listing.mimeType, description: "Packages of the user's that code can import." }]),
      ...kept.list().map(({ uri, path, mimeType, bytes }) => ({ uri, name: path, mimeType, size: bytes.length })),
    ],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      { uriTemplate: "belljar://{run}/{+path}", name: "files of a run", description: "What a run left under /work." },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    if (listing?.uri === uri) return { contents: [listing] };
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
