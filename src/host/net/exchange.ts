import { type Agent, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { finished, pipeline, type Readable } from "node:stream";
import { network } from "../../policy/network-sentences.ts";
import type { Connector } from "./connector.ts";
import { failureOf } from "./failure.ts";
import { incoming, outgoing } from "./headers.ts";
import type { Destination } from "./hosts.ts";
import { type FromNet, MOST_PIECES, type NetFailure, type NetRequest, PIECE, WINDOW } from "./messages.ts";
import { createVeil, type Revealed, veiled } from "./secrets.ts";
import { ACCEPTED, unpackers } from "./unpack.ts";

/** What an exchange tells, without the id that its session knows it by. */
export type ExchangeEvent = FromNet extends infer Each ? (Each extends FromNet ? Omit<Each, "id"> : never) : never;

export interface ExchangeOptions {
  readonly destination: Destination;
  readonly request: NetRequest;
  /** The URL and headers as they go out. */
  readonly revealed: Revealed;
  /** The body, when it is whole. */
  readonly bytes: Uint8Array;
  readonly agent: Agent;
  readonly connector: Connector;
  readonly headerBytes: number;
  readonly timeoutMs: number;
  /** Counts bytes of the response; says so when they are too many. */
  readonly spend: (count: number) => string | undefined;
  readonly tell: (event: ExchangeEvent) => void;
  /** Called once, however it ends. */
  readonly onOver: (status: number) => void;
}

/** One request and its response, on a connection of the host's. */
export interface Exchange {
  body(bytes: Uint8Array, last: boolean): void;
  taken(count: number): void;
  close(): void;
}

/** Methods that may be sent again when a kept connection turns out to be closed (RFC 9110, section 9.2.2). */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

export function startExchange(options: ExchangeOptions): Exchange {
  const { destination, request, revealed, connector, headerBytes, timeoutMs, spend, tell } = options;
  const { host, secure } = destination;
  const method = request.method.toUpperCase();
  const veil = createVeil(revealed.needles);
  let over = false;
  let status = 0;
  let source: Readable | undefined;
  /** Bytes that were told and not yet taken, and in how many pieces. */
  let untaken = 0;
  let untakenPieces = 0;
  /** Bytes of the body in the widest form that it had on its way. */
  let widest = 0;
  let sent = 0;
  let outgoingRequest = open(options.agent);

  const timer = setTimeout(() => fail({ code: "timeout", message: network.timeout(timeoutMs) }), timeoutMs);

  function end(last?: () => void): void {
    if (over) return;
    over = true;
    clearTimeout(timer);
    last?.();
    options.onOver(status);
  }

  function fail({ code, message }: NetFailure): void {
    end(() => tell({ kind: "failed", code, message: veiled(message, revealed.needles) }));
    outgoingRequest.destroy();
    source?.destroy();
  }

  const failWith = (error: unknown): void => fail(failureOf(error, host, headerBytes));

  function open(agent: Agent | false) {
    const made = (secure ? requestSecure : requestPlain)({
      host,
      port: destination.port,
      method,
      path: `${revealed.url.pathname}${revealed.url.search}`,
      agent,
      lookup: connector.lookupFor(destination),
      maxHeaderSize: headerBytes,
      insecureHTTPParser: false,
      setHost: false,
      // Said outright, since a variable of Node's could turn it off.
      ...(secure ? { rejectUnauthorized: true } : {}),
    });
    for (const [name, values] of headersOf(options)) made.setHeader(name, values);
    made.on("socket", (socket) => {
      const check = (): void => {
        try {
          connector.check(destination, socket.remoteAddress ?? "");
        } catch (error) {
          failWith(error);
        }
      };
      if (socket.connecting) socket.once("connect", check);
    });
    made.on("response", respond);
    // Nobody has asked for another protocol.
    made.on("upgrade", (_response, socket) => {
      socket.destroy();
      failWith(undefined);
    });
    made.on("error", (error) => {
      if (over) return;
      const repeatable = made.reusedSocket && status === 0 && request.body !== "stream" && REPEATABLE.has(method);
      if (!repeatable || made !== outgoingRequest) return failWith(error);
      outgoingRequest = open(false);
    });
    if (request.body !== "stream") made.end(request.body === "whole" ? options.bytes : undefined);
    return made;
  }

  function respond(response: IncomingMessage): void {
    status = response.statusCode ?? 0;
    const isEmpty = method === "HEAD" || status === 204 || status === 304;
    const wanted = request.unpack || revealed.needles.length > 0;
    const streams = wanted && !isEmpty ? unpackers(response.headers["content-encoding"]) : [];
    const unpacked = streams !== undefined && streams.length > 0;
    const headers = incoming(response.rawHeaders, unpacked).map(([name, value]) => [veiled(name, revealed.needles), veiled(value, revealed.needles)] as const);
    tell({ kind: "head", status, reason: veiled(response.statusMessage ?? "", revealed.needles), headers });
    const settle = (error: unknown): void => {
      if (error !== null && error !== undefined) failWith(error);
    };
    const last = streams?.at(-1);
    if (last === undefined) finished(response, settle);
    else {
      pipeline([response, ...(streams ?? [])], settle);
      for (const stage of [response, ...(streams ?? []).slice(0, -1)]) stage.on("data", counter());
    }
    source = last ?? response;
    const count = counter();
    source.on("data", (chunk: Uint8Array) => {
      if (count(chunk)) receive(chunk);
    });
    source.on("end", () => {
      hand(veil.cover(new Uint8Array(0), true));
      end(() => tell({ kind: "end" }));
      // An answer that comes amid a request's body is the last of both, or the connection would wait for the rest.
      if (!outgoingRequest.writableEnded) outgoingRequest.destroy();
    });
  }

  /** Counts what comes out of one stage of unpacking; false when it is too much. Of all stages the widest counts. */
  function counter(): (chunk: Uint8Array) => boolean {
    let total = 0;
    return (chunk) => {
      if (over) return false;
      total += chunk.length;
      const more = Math.max(0, total - widest);
      widest += more;
      const refusal = spend(more);
      if (refusal !== undefined) fail({ code: "limit", message: refusal });
      return refusal === undefined;
    };
  }

  function isFull(): boolean {
    return untaken >= WINDOW || untakenPieces >= MOST_PIECES;
  }

  function receive(chunk: Uint8Array): void {
    hand(veil.cover(chunk, false));
    if (isFull()) source?.pause();
  }

  function hand(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !over; at += PIECE) {
      const piece = bytes.slice(at, at + PIECE);
      untaken += piece.length;
      untakenPieces += 1;
      tell({ kind: "data", bytes: piece });
    }
  }

  return {
    body(bytes, last) {
      if (over || request.body !== "stream") return;
      sent += bytes.length;
      const { length } = request;
      if (length !== undefined && (sent > length || (last && sent < length))) {
        return fail({ code: "invalid", message: network.bodyLength(length, sent) });
      }
      if (bytes.length > 0) outgoingRequest.write(bytes, () => tell({ kind: "sent", count: bytes.length }));
      if (last) outgoingRequest.end();
    },
    taken(count) {
      untaken -= count;
      untakenPieces -= 1;
      if (!isFull()) source?.resume();
    },
    close() {
      end();
      outgoingRequest.destroy();
      source?.destroy();
    },
  };
}

/** The headers on the wire: the guest's, and those that are the host's to say. */
function headersOf({ destination, request, revealed, bytes }: ExchangeOptions): Map<string, string[]> {
  const { host, port, secure } = destination;
  const headers = outgoing(revealed.headers);
  const names = new Set([...headers.keys()].map((name) => name.toLowerCase()));
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  const made = new Map<string, string[]>([["Host", [port === (secure ? 443 : 80) ? bracketed : `${bracketed}:${String(port)}`]], ...headers]);
  // A body that came packed could give back a secret unseen.
  if (revealed.needles.length > 0 || request.unpack) {
    for (const name of headers.keys()) if (name.toLowerCase() === "accept-encoding") made.delete(name);
    made.set("Accept-Encoding", [request.unpack ? ACCEPTED : "identity"]);
  } else if (!names.has("accept-encoding")) made.set("Accept-Encoding", ["identity"]);
  if (request.body === "whole") made.set("Content-Length", [String(bytes.length)]);
  else if (request.body === "stream" && request.length !== undefined) made.set("Content-Length", [String(request.length)]);
  else if (request.body === "stream") made.set("Transfer-Encoding", ["chunked"]);
  else if (["POST", "PUT", "PATCH"].includes(request.method.toUpperCase())) made.set("Content-Length", ["0"]);
  return made;
}
