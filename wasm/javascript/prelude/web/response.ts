import { Body, cloneContent, type Content, contentOf } from "./body.ts";
import { Headers, type HeadersInit } from "./headers.ts";

type Inspect = (value: unknown, options: object) => string;

export interface ResponseInit {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: HeadersInit;
}

interface Origin {
  readonly url: string;
  readonly redirected: boolean;
}

const origins = new WeakMap<Response, Origin>();
const FIELDS = ["status", "statusText", "headers", "body", "bodyUsed", "ok", "redirected", "type", "url"] as const;

/** Fetch Standard, section 5.5. */
export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type: string = "default";

  constructor(body?: unknown, { status = 200, statusText = "", headers }: ResponseInit = {}) {
    const content = contentOf(body);
    super(content);
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError(`init["status"] must be in the range of 200 to 599, inclusive.`);
    this.status = status;
    this.statusText = statusText;
    this.headers = new Headers(headers);
    if (content.type !== undefined && !this.headers.has("content-type")) this.headers.set("content-type", content.type);
  }
  static json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(JSON.stringify(data), { ...init, headers });
  }
  static redirect(url: unknown, status = 302): Response {
    return new Response(null, { status, headers: { location: String(url) } });
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get url(): string {
    return origins.get(this)?.url ?? "";
  }
  get redirected(): boolean {
    return origins.get(this)?.redirected ?? false;
  }
  clone(): Response {
    return responseOf(cloneContent(this), { status: this.status, statusText: this.statusText, headers: this.headers }, { url: this.url, redirected: this.redirected });
  }
  get [Symbol.toStringTag](): string {
    return "Response";
  }
  [Symbol.for("nodejs.util.inspect.custom")](depth: number, options: object, inspect: Inspect): string {
    if (depth < 0) return "[Response]";
    return `Response {\n${FIELDS.map((name) => `  ${name}: ${inspect(this[name], options).replaceAll("\n", "\n  ")}`).join(",\n")}\n}`;
  }
}

/** A response that came over the network. */
export function responseOf({ bytes, stream }: Content, init: ResponseInit, origin: Origin): Response {
  const response = new Response(bytes ?? stream, init);
  origins.set(response, origin);
  return response;
}
