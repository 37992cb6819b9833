import type { CallToolResult } from "@modelcontextprotocol/server";
import { wellFormed } from "../base/text.ts";
import type { Outcome } from "../policy/outcome.ts";
import { remarks } from "../policy/sentences.ts";
import type { Answer } from "../policy/settings.ts";
import type { Finished } from "../sandbox/sandboxes.ts";
import type { KeptFiles } from "./kept-files.ts";
import { pictureContent } from "./pictures.ts";
import { cutParts, outcomeText } from "./text.ts";

/** What the answers to one client carry. */
export type Shape = Exclude<Answer, "auto">;

/** Clients that drop content, images with it, beside structured content (reported as issue 54737 of this one). */
const TEXT_CLIENTS: ReadonlySet<string> = new Set(["claude-code"]);

/** What answers carry for a client of that name; a setting other than `auto` has the last word. */
export function shapeFor(setting: Answer, clientName: string | undefined): Shape {
  if (setting !== "auto") return setting;
  return clientName !== undefined && TEXT_CLIENTS.has(clientName) ? "text" : "both";
}

/** A refusal as a tool's answer: the model reads what to do otherwise. */
export function refused(message: string): CallToolResult {
  return { content: [{ type: "text", text: message.toWellFormed() }], isError: true };
}

/** An answer in words and as data, of which the client gets what it can use. */
export function shaped(answer: {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly shape: Shape;
}): CallToolResult {
  const { text, structured, shape } = answer;
  return {
    content: shape === "structured" ? [] : [{ type: "text", text: text.toWellFormed() }],
    ...(shape === "text" ? {} : { structuredContent: wellFormedObject(structured) }),
  };
}

/** How an answer reaches its client. */
export interface Delivery {
  readonly shape: Shape;
  readonly kept: KeptFiles;
  readonly keptMinutes: number;
}

/** The answer to a call that ran: text, pictures, structured content, and whether it failed. */
export function answer({ outcome, pictures, files }: Finished, { shape, kept, keptMinutes }: Delivery): CallToolResult {
  const uris = kept.keep(files);
  const listed = outcome.files?.map((file, index) => ({ ...file, ...(uris[index] === undefined ? {} : { uri: uris[index] }) }));
  const drawn = pictures.length > 0 ? pictures : picturesAmong(files);
  const { images, remarks: left } = pictureContent(drawn);
  const told = {
    ...outcome,
    ...(listed === undefined ? {} : { files: listed }),
    ...(images.length > 0 ? { pictures: images.length } : {}),
  };
  const said = [...left, ...(listed === undefined ? [] : [remarks.filesKept(keptMinutes)])];
  const extra = [...said, ...wholeParts(told, said, kept)];
  const result = shaped({ text: outcomeText(told, extra), structured: told, shape });
  return {
    ...result,
    content: [...result.content, ...images],
    ...(outcome.status === "ok" ? {} : { isError: true }),
  };
}

/** Where a client finds what the text had to cut. */
function wholeParts(outcome: Outcome, extra: readonly string[], kept: KeptFiles): string[] {
  const bytes = (text: string) => new TextEncoder().encode(text.toWellFormed());
  const cut = cutParts(outcome, extra);
  const uris = kept.keep(cut.map(({ name, body }) => ({ path: `${name}.txt`, mimeType: "text/plain", bytes: bytes(body) })));
  const there = uris.filter((uri) => uri !== undefined);
  return there.length > 0 ? [remarks.wholeText(there)] : [];
}

/** PNG files that the code saved itself, when it showed no picture in another way. */
function picturesAmong(files: Finished["files"]): Finished["pictures"] {
  return files
    .filter(({ mimeType }) => mimeType === "image/png")
    .map(({ path, mimeType, bytes }) => ({ name: path, mimeType, bytes }));
}

/** Lone surrogates make some model APIs refuse every later request, so none leaves the server. */
function wellFormedObject(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, wellFormed(value)]));
}
