import type { NetGrant, NetLimits } from "../../../src/policy/grants.ts";
import { LIMITS } from "../../../src/policy/limits.ts";
import type { FromNet, NetRequest, ToNet } from "../../../src/host/net/messages.ts";
import type { Secret } from "../../../src/host/net/secrets.ts";
import { type NetRecord, openSession } from "../../../src/host/net/session.ts";

export interface ClientOptions {
  readonly net?: readonly NetGrant[];
  readonly secrets?: readonly Secret[];
  readonly limits?: Partial<NetLimits>;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** What became of a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bytes: number;
  readonly code: string;
  readonly message: string;
}

/** One run's requests, without a sandbox. */
export function createClient({ net = [], secrets = [], limits = {}, resolve = noNames }: ClientOptions) {
  const records: NetRecord[] = [];
  const takers = new Map<number, (message: FromNet) => void>();
  let last = 0;
  const session = openSession(
    {
      grants: net,
      secrets,
      limits: {
        bytes: LIMITS.netBytes.default,
        headerBytes: LIMITS.netHeaders.default,
        timeoutMs: LIMITS.netTimeout.default,
        requests: LIMITS.netRequests.default,
        parallel: LIMITS.netParallel.default,
        ...limits,
      },
      resolve,
      record: (record) => records.push(record),
    },
    (message) => takers.get(message.id)?.(message),
  );
  return {
    records,
    send: (message: ToNet) => session.receive(message),
    /** Makes a request and takes all of its answer, but for what `take` leaves. */
    ask(url: string, request: Partial<NetRequest> = {}, body = "", take = true): Promise<Reply> {
      last += 1;
      const id = last;
      const { promise, resolve: settle } = Promise.withResolvers<Reply>();
      const pieces: Uint8Array[] = [];
      let status = 0;
      let headers: Record<string, string> = {};
      const done = (code: string, message: string): void => {
        takers.delete(id);
        const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
        settle({ status, headers, text: Buffer.concat(pieces).toString(), bytes, code, message });
      };
      takers.set(id, (message) => {
        if (message.kind === "head") {
          status = message.status;
          headers = Object.fromEntries(message.headers.map(([name, value]) => [name.toLowerCase(), value]));
        } else if (message.kind === "data") {
          pieces.push(message.bytes);
          if (take) session.receive({ kind: "taken", id, count: message.bytes.length });
        } else if (message.kind === "end") done("", "");
        else if (message.kind === "failed") done(message.code, message.message);
      });
      const whole = { method: "GET", url, headers: [], body: body === "" ? ("none" as const) : ("whole" as const), unpack: false, ...request };
      session.receive({ kind: "start", id, request: whole, bytes: Buffer.from(body) });
      return promise;
    },
    [Symbol.dispose]: () => session[Symbol.dispose](),
  };
}

/** A resolver that must not be asked. */
function noNames(host: string): Promise<readonly string[]> {
  return Promise.reject(new Error(`a name was looked up: ${host}`));
}
