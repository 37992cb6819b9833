import { AbortSignal } from "./abort.ts";
import { Body, cloneContent, contentOf } from "./body.ts";
import { Headers, type HeadersInit } from "./headers.ts";
import { URL } from "./url.ts";

export interface RequestInit {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
  readonly redirect?: string;
}

const UPPER = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"]);
const REDIRECTS = ["follow", "error", "manual"];

/** Fetch Standard, section 5.4, without what only browsers have. */
export class Request extends Body {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly redirect: string;

  constructor(input: unknown, init: RequestInit = {}) {
    const from = input instanceof Request ? input : undefined;
    const content = init.body === undefined || init.body === null ? (from === undefined ? contentOf(undefined) : cloneContent(from)) : contentOf(init.body);
    super(content);
    const method = String(init.method ?? from?.method ?? "GET");
    this.method = UPPER.has(method.toUpperCase()) ? method.toUpperCase() : method;
    this.url = from?.url ?? readUrl(input);
    this.headers = new Headers(init.headers ?? from?.headers);
    this.signal = init.signal ?? from?.signal ?? AbortSignal.any([]);
    this.redirect = init.redirect ?? from?.redirect ?? "follow";
    if (!REDIRECTS.includes(this.redirect)) throw new TypeError(`Request: redirect must be one of ${REDIRECTS.join(", ")}, and was ${this.redirect}`);
    const hasBody = content.bytes !== undefined || content.stream !== undefined;
    if (hasBody && (this.method === "GET" || this.method === "HEAD")) throw new TypeError("Request with GET/HEAD method cannot have body.");
    if (content.type !== undefined && !this.headers.has("content-type")) this.headers.set("content-type", content.type);
  }
  clone(): Request {
    return new Request(this);
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

function readUrl(input: unknown): string {
  try {
    return new URL(input).href;
  } catch (error) {
    throw Object.assign(new TypeError(`Failed to parse URL from ${String(input)}`), { cause: error });
  }
}
