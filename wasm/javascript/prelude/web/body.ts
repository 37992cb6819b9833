import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
import { Blob, blobBytes } from "./blob.ts";
import { FormData, multipart } from "./form-data.ts";
import { ReadableStream } from "./streams.ts";
import { URLSearchParams } from "./url.ts";

/** A body as it was given: all of it, or what it is read from. */
export interface Content {
  readonly bytes: Uint8Array | undefined;
  readonly stream: ReadableStream | undefined;
  /** What Content-Type is when none is told. */
  readonly type: string | undefined;
}

/** What a body was given as (Fetch Standard, section 5.2, "extract a body"). */
export function contentOf(body: unknown): Content {
  const whole = (bytes: Uint8Array, type?: string): Content => ({ bytes, stream: undefined, type });
  if (body === undefined || body === null) return { bytes: undefined, stream: undefined, type: undefined };
  if (body instanceof ReadableStream) return { bytes: undefined, stream: body, type: undefined };
  if (body instanceof Blob) return whole(blobBytes(body), body.type || undefined);
  if (body instanceof FormData) {
    const { bytes, type } = multipart(body);
    return whole(bytes, type);
  }
  if (body instanceof URLSearchParams) return whole(new TextEncoder().encode(String(body)), "application/x-www-form-urlencoded;charset=UTF-8");
  if (body instanceof ArrayBuffer) return whole(new Uint8Array(body).slice());
  if (ArrayBuffer.isView(body)) return whole(new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice());
  if (typeof body === "object" && Symbol.asyncIterator in body && isAsync(body)) return { bytes: undefined, stream: ReadableStream.from(body), type: undefined };
  return whole(new TextEncoder().encode(String(body)), "text/plain;charset=UTF-8");
}

function isAsync(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function";
}

/** The bytes of a chunk of a body. */
export function chunkBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  throw new TypeError("Received a chunk of a body that is no Uint8Array");
}

interface State {
  content: Content;
  stream: ReadableStream | null;
  used: boolean;
}

const states = new WeakMap<Body, State>();

function stateOf(body: Body): State {
  const state = states.get(body);
  if (state === undefined) throw new TypeError("Illegal invocation: not a Request or Response");
  return state;
}

/** What is left to send of a request's body: it is used up by this. */
export function takeContent(body: Body): Content {
  const state = stateOf(body);
  if (state.content.bytes === undefined && state.content.stream === undefined) return state.content;
  if (body.bodyUsed) throw new TypeError("Body is unusable: Body has already been read");
  state.used = true;
  return state.content;
}

/** Fetch Standard, section 5.3: what requests and responses share. */
export abstract class Body {
  abstract readonly headers: { get(name: string): string | null };

  constructor(content: Content) {
    states.set(this, { content, stream: null, used: false });
  }
  get body(): ReadableStream | null {
    const state = stateOf(this);
    const { bytes, stream } = state.content;
    if (bytes === undefined && stream === undefined) return null;
    state.stream ??= stream ?? ReadableStream.from(bytes === undefined || bytes.length === 0 ? [] : [bytes]);
    return state.stream;
  }
  get bodyUsed(): boolean {
    const { used, stream } = stateOf(this);
    return used || stream?.locked === true;
  }
  async bytes(): Promise<Uint8Array> {
    const state = stateOf(this);
    if (this.bodyUsed) throw new TypeError("Body is unusable: Body has already been read");
    const { bytes } = state.content;
    const { body } = this;
    if (body !== null) state.used = true;
    if (bytes !== undefined && state.stream === body && body !== null && bytes.length > 0) return bytes.slice();
    const pieces: Uint8Array[] = [];
    if (body !== null) for await (const chunk of body) pieces.push(chunkBytes(chunk));
    return blobBytes(new Blob(pieces));
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    return (await this.bytes()).buffer;
  }
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
  async formData(): Promise<FormData> {
    const type = this.headers.get("content-type") ?? "";
    if (!type.startsWith("application/x-www-form-urlencoded")) throw new TypeError(`A form of type ${JSON.stringify(type)} can't be read; use text() or bytes()`);
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value);
    return form;
  }
}

/** Makes two of a body that has not been read: the first goes on where it was, the second is new. */
export function cloneContent(body: Body): Content {
  const state = stateOf(body);
  if (body.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
  const { bytes, stream, type } = state.content;
  if (bytes !== undefined || stream === undefined) return state.content;
  const [one, other] = stream.tee();
  state.content = { bytes, stream: one, type };
  state.stream = one;
  return { bytes, stream: other, type };
}
