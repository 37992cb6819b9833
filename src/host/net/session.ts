import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { isIP } from "node:net";
import { isBelljarError } from "../../base/errors.ts";
import type { NetGrant, NetLimits } from "../../policy/grants.ts";
import { network } from "../../policy/network-sentences.ts";
import { type Connector, createConnector, type Resolve } from "./connector.ts";
import { type Exchange, type ExchangeOptions, startExchange } from "./exchange.ts";
import { badHeader, isMethod, sizeOfRequest } from "./headers.ts";
import { type Destination, readDestination, refusalOf } from "./hosts.ts";
import type { FromNet, NetCode, NetFailure, ToNet } from "./messages.ts";
import { reveal, type Secret } from "./secrets.ts";

/** A request that is over, as it is told to the user. */
export interface NetRecord {
  readonly method: string;
  /** Scheme, host, port and path; the query may hold anything. */
  readonly url: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface NetworkOptions {
  readonly grants: readonly NetGrant[];
  readonly secrets: readonly Secret[];
  readonly limits: NetLimits;
  readonly resolve: Resolve;
  readonly record: (record: NetRecord) => void;
}

/** The requests of one run; disposing it ends them all and closes their connections. */
export interface NetSession extends Disposable {
  receive(message: ToNet): void;
}

interface Entry {
  readonly start: () => Exchange;
  exchange?: Exchange;
  /** What came for a request that still waits. */
  readonly early: ToNet[];
  sentBytes: number;
  receivedBytes: number;
}

export function openSession({ grants, secrets, limits, resolve, record }: NetworkOptions, tell: (message: FromNet) => void): NetSession {
  const connector = createConnector(grants, resolve);
  const pool = { keepAlive: true, maxFreeSockets: limits.parallel };
  const agents = { plain: new PlainAgent(pool), secure: new SecureAgent(pool) };
  const entries = new Map<number, Entry>();
  const waiting: Entry[] = [];
  let requests = 0;
  let running = 0;
  let bytes = 0;
  let disposed = false;

  const fail = (id: number, code: NetCode, message: string): void => tell({ kind: "failed", id, code, message });

  const spend = (count: number): string | undefined => {
    bytes += count;
    return bytes > limits.bytes ? network.tooManyBytes(limits.bytes) : undefined;
  };

  const pump = (): void => {
    while (running < limits.parallel && !disposed) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next.exchange = next.start();
      for (const message of next.early.splice(0)) pass(next.exchange, message);
    }
  };

  const start = ({ id, request, bytes: body }: Extract<ToNet, { kind: "start" }>): void => {
    requests += 1;
    if (requests > limits.requests) return fail(id, "limit", network.tooManyRequests(limits.requests));
    const tooMuch = spend(body.length);
    if (tooMuch !== undefined) return fail(id, "limit", tooMuch);
    const destination = destinationOf(request.url, grants, connector);
    if ("code" in destination) return fail(id, destination.code, destination.message);
    if (!isMethod(request.method)) return fail(id, "invalid", network.method(request.method));
    const bad = badHeader(request.headers);
    if (bad !== undefined) return fail(id, "invalid", network.header(bad));
    const size = sizeOfRequest(request);
    if (size > limits.headerBytes) return fail(id, "limit", network.headersTooLarge(size, limits.headerBytes));
    const revealed = reveal(secrets, destination, request.headers);
    if ("withheld" in revealed) return fail(id, "refused", network.secretWithheld(revealed.withheld.name, revealed.withheld.host));

    const options: ExchangeOptions = {
      destination,
      request,
      revealed,
      bytes: body,
      agent: destination.secure ? agents.secure : agents.plain,
      connector,
      headerBytes: limits.headerBytes,
      timeoutMs: limits.timeoutMs,
      spend(count) {
        entry.receivedBytes += count;
        return spend(count);
      },
      tell: (event) => tell({ ...event, id }),
      onOver(status) {
        entries.delete(id);
        running -= 1;
        const { protocol, host, pathname } = destination.url;
        const { sentBytes, receivedBytes } = entry;
        record({ method: request.method.toUpperCase(), url: `${protocol}//${host}${pathname}`, status, sentBytes, receivedBytes });
        queueMicrotask(pump);
      },
    };
    const entry: Entry = { start: () => startExchange(options), early: [], sentBytes: body.length, receivedBytes: 0 };
    entries.set(id, entry);
    waiting.push(entry);
    pump();
  };

  const drop = (id: number, entry: Entry): void => {
    entries.delete(id);
    const at = waiting.indexOf(entry);
    if (at >= 0) waiting.splice(at, 1);
    entry.exchange?.close();
  };

  return {
    receive(message) {
      if (disposed) return;
      if (message.kind === "start") return entries.has(message.id) ? undefined : start(message);
      const entry = entries.get(message.id);
      if (entry === undefined) return;
      if (message.kind === "close") return drop(message.id, entry);
      if (message.kind === "body") {
        entry.sentBytes += message.bytes.length;
        const tooMuch = spend(message.bytes.length);
        if (tooMuch !== undefined) {
          fail(message.id, "limit", tooMuch);
          return drop(message.id, entry);
        }
      }
      if (entry.exchange === undefined) entry.early.push(message);
      else pass(entry.exchange, message);
    },
    [Symbol.dispose]() {
      disposed = true;
      for (const [id, entry] of entries) drop(id, entry);
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

function pass(exchange: Exchange, message: ToNet): void {
  if (message.kind === "body") exchange.body(message.bytes, message.last);
  else if (message.kind === "taken") exchange.taken(message.count);
}

/** Where a request may go, or why it may not: before any name is looked up. */
function destinationOf(text: string, grants: readonly NetGrant[], connector: Connector): Destination | NetFailure {
  const refusal = refusalOf(text, grants);
  if (refusal !== undefined) return refusal;
  const destination = readDestination(text);
  if ("refusal" in destination) return { code: "invalid", message: destination.refusal };
  try {
    if (isIP(destination.host) !== 0) connector.check(destination, destination.host);
  } catch (error) {
    if (isBelljarError(error)) return { code: "refused", message: error.message };
    throw error;
  }
  return destination;
}
