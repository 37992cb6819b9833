import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { BelljarError } from "../../base/errors.ts";
import type { NetGrant } from "../../policy/grants.ts";
import { network } from "../../policy/network-sentences.ts";
import { isSameAddress, reservedKind } from "./addresses.ts";
import { type Destination, isLocalName } from "./hosts.ts";

/** Gives the addresses of a host; rejects as Node's `dns` does when there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Decides which addresses may be connected to. */
export interface Connector {
  /** @throws BelljarError REFUSED when the address is of no public network, and was not named itself. */
  check(destination: Destination, address: string): void;
  /** What a connection to the destination resolves its name with: what it gives is what was checked, and is connected to. */
  lookupFor(destination: Destination): LookupFunction;
}

/** The machine's own way to resolve names, its hosts file too. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, found) => (error === null ? resolve(found.map(({ address }) => address)) : reject(error)));
  });

export function createConnector(grants: readonly NetGrant[], resolve: Resolve): Connector {
  const isNamed = ({ port }: Destination, address: string): boolean =>
    grants.some((grant) => (grant.port === undefined || grant.port === port) && isSameAddress(grant.host, address));

  const refusalOf = (destination: Destination, address: string): string | undefined => {
    const kind = reservedKind(address);
    if (kind === undefined || isNamed(destination, address)) return undefined;
    if (kind === "loopback" && isLocalName(destination.host)) return undefined;
    const { host, port } = destination;
    return network.reserved(host, address, kind, `${address.includes(":") ? `[${address}]` : address}:${String(port)}`);
  };

  const check = (destination: Destination, address: string): void => {
    const refusal = refusalOf(destination, address);
    if (refusal !== undefined) throw new BelljarError("REFUSED", refusal);
  };

  return {
    check,
    lookupFor: (destination) => (host, options, callback) => {
      const settle = (addresses: readonly string[]): void => {
        const family = Number(options.family ?? 0);
        const wanted = addresses.filter((address) => family === 0 || isIP(address) === family);
        const open = wanted.filter((address) => refusalOf(destination, address) === undefined);
        const [first] = open;
        if (first === undefined) {
          const refusal = wanted[0] === undefined ? network.noName(destination.host) : (refusalOf(destination, wanted[0]) ?? "");
          return callback(new BelljarError("REFUSED", refusal), "", 0);
        }
        if (options.all === true) return callback(null, open.map((address) => ({ address, family: isIP(address) })));
        callback(null, first, isIP(first));
      };
      const giveUp = (error: unknown): void => callback(error instanceof Error ? error : new Error(String(error)), "", 0);
      // Not `catch`: what a listener of the connection throws is no failed lookup.
      resolve(host).then(settle, giveUp);
    },
  };
}
