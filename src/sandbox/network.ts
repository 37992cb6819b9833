import type { FromNet, ToNet } from "../host/net/messages.ts";
import type { GrantUse } from "../policy/grants.ts";
import { type NetRecord, type NetSession, type NetworkOptions, openSession } from "../host/net/session.ts";

/** The requests of all runs, made by the server; disposing it ends them. */
export interface Network extends Disposable {
  /** Takes what a run asks; its connections are its own. */
  receive(id: string, message: ToNet): void;
  /** Ends the requests of a run that is over, and closes its connections. */
  end(id: string): void;
}

/** Where answers go, and where each request is told when it is over. */
export interface NetworkEvents {
  readonly tell: (id: string, message: FromNet) => void;
  readonly used: (id: string, use: GrantUse) => void;
}

export type OpenNetwork = (events: NetworkEvents) => Network;

export function networkOf(settings: Omit<NetworkOptions, "record">): OpenNetwork {
  return ({ tell, used }) => {
    const sessions = new Map<string, NetSession>();
    const sessionOf = (id: string): NetSession => {
      const known = sessions.get(id);
      if (known !== undefined) return known;
      const options = { ...settings, record: (record: NetRecord) => used(id, useOf(record)) };
      const session = openSession(options, (message) => tell(id, message));
      sessions.set(id, session);
      return session;
    };
    return {
      receive: (id, message) => sessionOf(id).receive(message),
      end(id) {
        sessions.get(id)?.[Symbol.dispose]();
        sessions.delete(id);
      },
      [Symbol.dispose]() {
        for (const session of sessions.values()) session[Symbol.dispose]();
        sessions.clear();
      },
    };
  };
}

function useOf({ method, url, status, sentBytes, receivedBytes }: NetRecord): GrantUse {
  const ending = status === 0 ? "no answer" : String(status);
  return { what: "request", name: `${method} ${url} ${ending}`, times: 1, bytes: sentBytes + receivedBytes };
}
