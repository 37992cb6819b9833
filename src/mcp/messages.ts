import { parseJSONRPCMessage, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { refusals } from "../policy/sentences.ts";

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The identity of a request; null when it could not be read (JSON-RPC 2.0, section 5). */
export type MessageId = string | number | null;

/** A message that was read, nothing (a blank line), or why it is refused. */
export type Reading =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: { readonly code: number; readonly message: string; readonly id: MessageId } }
  | undefined;

/** Reads one line as a JSON-RPC message. */
export function readMessage(bytes: Uint8Array): Reading {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse(PARSE_ERROR, "it is not UTF-8", null);
  }
  if (text.trim() === "") return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse(PARSE_ERROR, error instanceof Error ? error.message.toWellFormed() : "unreadable", null);
  }
  try {
    return { message: parseJSONRPCMessage(json) };
  } catch {
    const reason = Array.isArray(json) ? "MCP has no batches" : "it is no request, notification or response";
    return refuse(INVALID_REQUEST, reason, idOf(json));
  }
}

/** The refusal of a message that was too long to keep, from its first and last bytes. */
export function refuseHuge(size: number, longest: number, ends: Uint8Array): Exclude<Reading, undefined> {
  return { refusal: { code: INVALID_REQUEST, message: refusals.hugeMessage(size, longest), id: guessId(ends) } };
}

function refuse(code: number, reason: string, id: MessageId): Reading {
  return { refusal: { code, message: refusals.notJson(reason), id } };
}

function idOf(json: unknown): MessageId {
  if (typeof json !== "object" || json === null || !("id" in json)) return null;
  return typeof json.id === "string" || typeof json.id === "number" ? json.id : null;
}

/** Clients write the id as the first or last member; inside a string its quotes would be escaped. */
function guessId(ends: Uint8Array): MessageId {
  const text = new TextDecoder().decode(ends);
  const member = /^\s*\{(?:"jsonrpc":"2\.0",)?"id":(\d+|"[^"\\]*")|[,{]"id":(\d+|"[^"\\]*")\s*(?:,"jsonrpc":"2\.0")?\}\s*$/.exec(text);
  const found = member?.[1] ?? member?.[2];
  return found === undefined ? null : idOf({ id: JSON.parse(found) });
}
