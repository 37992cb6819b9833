import type { CallToolResult } from "@modelcontextprotocol/server";
import { wellFormed } from "../base/text.ts";
import type { Answer } from "../policy/settings.ts";
import type { Finished } from "../sandbox/sandboxes.ts";
import { pictureContent } from "./pictures.ts";
import { outcomeText } from "./text.ts";

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

/** The answer to a call that ran: text, pictures, structured content, and whether it failed. */
export function answer({ outcome, pictures }: Finished, shape: Shape): CallToolResult {
  const { images, remarks } = pictureContent(pictures);
  const result = shaped({ text: outcomeText(outcome, remarks), structured: outcome, shape });
  return {
    ...result,
    content: [...result.content, ...images],
    ...(outcome.status === "ok" ? {} : { isError: true }),
  };
}

/** Lone surrogates make some model APIs refuse every later request, so none leaves the server. */
function wellFormedObject(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, wellFormed(value)]));
}
