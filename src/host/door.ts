import { BelljarError, isBelljarError } from "../base/errors.ts";
import { wellFormed } from "../base/text.ts";

/** A message through the door: a JSON object, and bytes that go with it. */
export interface Frame {
  readonly header: Record<string, unknown>;
  readonly payload: Uint8Array;
}

export interface FrameCaps {
  /** Bytes of JSON. */
  readonly maxHeader: number;
  /** Bytes after the header. */
  readonly maxPayload: number;
}

/** What `host.call` answers (wasm/guest.wit): done, no host behind the door, or the message could not be carried. */
export const DOOR = { ok: 0, noHost: -1, fault: -2 } as const;

const NEWLINE = 10;
/** Deeper headers would exhaust the stack of whoever walks them later. */
const MAX_DEPTH = 200;
/** A header and a payload of the largest there are: what is copied before the host looks at the clock. */
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The header's JSON in one line, then the payload. */
export function encodeFrame(header: Readonly<Record<string, unknown>>, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
  const json = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  if (payload.length === 0) return json;
  const frame = new Uint8Array(json.length + payload.length);
  frame.set(json);
  frame.set(payload, json.length);
  return frame;
}

/**
 * Reads a guest's message. The payload is a view of `bytes`; strings of the header are well-formed.
 * @throws BelljarError GUEST_FAULT when it is not a message, or larger or deeper than allowed.
 */
export function decodeFrame(bytes: Uint8Array, { maxHeader, maxPayload }: FrameCaps): Frame {
  const end = bytes.subarray(0, maxHeader + 1).indexOf(NEWLINE);
  if (end < 0) throw fault(`no header of at most ${maxHeader} bytes`);
  const payload = bytes.subarray(end + 1);
  if (payload.length > maxPayload) throw fault(`${payload.length} bytes of payload, at most ${maxPayload}`);
  const json = bytes.subarray(0, end);
  if (depthOf(json) > MAX_DEPTH) throw fault(`a header nested deeper than ${MAX_DEPTH}`);
  const header = parse(json);
  if (!isRecord(header)) throw fault("a header that is no object");
  return { header, payload };
}

/**
 * The guest's import `host.call(ptr, len, out_ptr_ptr, out_len_ptr)`. The answer is put where the
 * guest's own `host_alloc` says. What `handler` throws unwinds the guest, but for GUEST_FAULT.
 * @param touched told of the bytes of the memory that are written
 */
export function doorImport(
  memory: WebAssembly.Memory,
  hostAlloc: (length: number) => number,
  handler: (message: Uint8Array) => Uint8Array,
  touched: (pointer: number, length: number) => void = () => {},
): (pointer: number, length: number, outPointerAt: number, outLengthAt: number) => number {
  const inside = (pointer: number, length: number): boolean => (pointer >>> 0) + (length >>> 0) <= memory.buffer.byteLength;
  return (pointer, length, outPointerAt, outLengthAt) => {
    if (length >>> 0 > MAX_MESSAGE_BYTES || !inside(pointer, length)) return DOOR.fault;
    if (!inside(outPointerAt, 4) || !inside(outLengthAt, 4)) return DOOR.fault;
    const answer = answerOf(handler, new Uint8Array(memory.buffer, pointer >>> 0, length >>> 0).slice());
    if (answer === undefined || answer.length > MAX_MESSAGE_BYTES) return DOOR.fault;
    const room = hostAlloc(answer.length) >>> 0;
    if (room === 0 || !inside(room, answer.length)) return DOOR.fault;
    new Uint8Array(memory.buffer).set(answer, room);
    const view = new DataView(memory.buffer);
    view.setUint32(outPointerAt >>> 0, room, true);
    view.setUint32(outLengthAt >>> 0, answer.length, true);
    touched(room, answer.length);
    touched(outPointerAt, 4);
    touched(outLengthAt, 4);
    return DOOR.ok;
  };
}

function answerOf(handler: (message: Uint8Array) => Uint8Array, message: Uint8Array): Uint8Array | undefined {
  try {
    return handler(message);
  } catch (error) {
    if (isBelljarError(error, "GUEST_FAULT")) return undefined;
    throw error;
  }
}

/** How deep brackets nest in JSON text; strings don't count. */
function depthOf(json: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
}

function parse(json: Uint8Array): unknown {
  try {
    const text = decoder.decode(json);
    const value: unknown = JSON.parse(text);
    // Only an escape can bring a lone surrogate into text that was valid UTF-8.
    return /\\u[dD][89a-fA-F]/.test(text) ? wellFormed(value) : value;
  } catch (error) {
    throw fault("a header that is no JSON", error);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(what: string, cause?: unknown): BelljarError {
  return new BelljarError("GUEST_FAULT", `The guest sent ${what}.`, { cause });
}
