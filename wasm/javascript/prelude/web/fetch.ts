import { chunkBytes, type Content, takeContent } from "./body.ts";
import { Headers, headerPairs } from "./headers.ts";
import { endRequest, failed, type NetEvent, nextEvent, sendPiece, startRequest } from "./net.ts";
import { Request, type RequestInit } from "./request.ts";
import { Response, responseOf } from "./response.ts";
import { ReadableStream } from "./streams.ts";
import { URL } from "./url.ts";

/** As many redirects as browsers follow. */
const MOST_REDIRECTS = 20;
const REDIRECT = new Set([301, 302, 303, 307, 308]);
const EMPTY = new Uint8Array(0);
/** Statuses whose answers have no body (Fetch Standard, section 2.2.3). */
const NO_BODY = new Set([204, 205, 304]);

/** One request as it goes out. */
interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly content: Content;
}

/** Fetch Standard, section 5.6: each redirect is a request of its own, which the host checks as any other. */
export async function fetch(input: unknown, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { signal, redirect } = request;
  signal.throwIfAborted();
  let hop: Hop = { method: request.method, url: request.url, headers: new Headers(request.headers), content: takeContent(request) };
  for (let hops = 0; ; hops += 1) {
    const { id, head } = await open(hop, signal);
    const location = REDIRECT.has(head.status) ? new Headers(head.headers).get("location") : null;
    if (location === null || redirect === "manual") return answerOf(id, head, hop, hops > 0, signal);
    endRequest(id);
    if (redirect === "error") throw failed("the answer is a redirect, and redirect is \"error\"");
    if (hops >= MOST_REDIRECTS) throw failed(`more than ${MOST_REDIRECTS} redirects`);
    hop = follow(hop, head.status, location);
  }
}

function follow({ method, url, headers, content }: Hop, status: number, location: string): Hop {
  const target = new URL(location, url);
  if (target.hash === "" && url.includes("#")) target.hash = url.slice(url.indexOf("#"));
  const sent = new Headers(headers);
  const before = new URL(url);
  if (before.origin !== target.origin) for (const name of ["authorization", "cookie", "proxy-authorization"]) sent.delete(name);
  const drops = (status === 303 && method !== "GET" && method !== "HEAD") || (status <= 302 && method === "POST");
  if (!drops) {
    if (content.stream !== undefined) throw failed("a body that is a stream can't be sent again after a redirect");
    return { method, url: target.href, headers: sent, content };
  }
  for (const name of ["content-encoding", "content-language", "content-location", "content-type", "content-length"]) sent.delete(name);
  return { method: "GET", url: target.href, headers: sent, content: { bytes: undefined, stream: undefined, type: undefined } };
}

type Head = Extract<NetEvent, { event: "head" }>;

async function open({ method, url, headers, content }: Hop, signal: Request["signal"]): Promise<{ readonly id: number; readonly head: Head }> {
  const pairs = headerPairs(headers);
  if (!headers.has("accept")) pairs.push(["accept", "*/*"]);
  if (!headers.has("user-agent")) pairs.push(["user-agent", "belljar"]);
  const body = content.stream !== undefined ? "stream" : content.bytes !== undefined ? "whole" : "none";
  const id = startRequest({ method, url: url.replace(/#.*$/, ""), headers: pairs, body }, content.bytes ?? EMPTY);
  const aborted = (): void => endRequest(id);
  signal.addEventListener("abort", aborted, { once: true });
  try {
    const coming = nextEvent(id);
    if (content.stream !== undefined) await upload(id, content.stream);
    const event = await coming;
    signal.throwIfAborted();
    if (event.event === "head") return { id, head: event };
    throw failed(event.event === "failed" ? event.message : "the answer has no head");
  } finally {
    signal.removeEventListener("abort", aborted);
  }
}

async function upload(id: number, stream: ReadableStream): Promise<void> {
  try {
    for await (const chunk of stream) sendPiece(id, chunkBytes(chunk), false);
    sendPiece(id, EMPTY, true);
  } catch (error) {
    endRequest(id);
    throw error;
  }
}

function answerOf(id: number, head: Head, { url, method }: Hop, redirected: boolean, signal: Request["signal"]): Response {
  const aborted = (): void => endRequest(id);
  signal.addEventListener("abort", aborted, { once: true });
  const over = (): void => signal.removeEventListener("abort", aborted);
  const stream = new ReadableStream({
    async pull(controller) {
      signal.throwIfAborted();
      const event = await nextEvent(id);
      signal.throwIfAborted();
      if (event.event === "data") return controller.enqueue(event.bytes);
      over();
      if (event.event === "failed") throw failed(event.message);
      controller.close();
    },
    cancel() {
      over();
      endRequest(id);
    },
  });
  const hasBody = method !== "HEAD" && !NO_BODY.has(head.status);
  if (!hasBody) over();
  const init = { status: head.status, statusText: head.reason, headers: head.headers };
  return responseOf({ bytes: undefined, stream: hasBody ? stream : undefined, type: undefined }, init, { url, redirected });
}
