import type { NetGrant } from "../../policy/grants.ts";
import { network } from "../../policy/network-sentences.ts";
import type { NetFailure } from "./messages.ts";

/** Where a request goes. */
export interface Destination {
  readonly url: URL;
  /** In lower case and ASCII, without brackets and without the dot at its end. */
  readonly host: string;
  readonly port: number;
  /** True for https. */
  readonly secure: boolean;
}

const LONGEST_URL = 16_384;
/** Ports that the Fetch standard (section 2.9) blocks: a request there could be taken for another protocol. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119,
  123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
  993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Reads the URL of a request as browsers do (WHATWG), which settles how addresses, names and ports may be written. */
export function readDestination(text: string): Destination | { readonly refusal: string } {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return { refusal: network.malformed(text) };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { refusal: network.scheme(url.protocol.slice(0, -1)) };
  if (url.username !== "" || url.password !== "") return { refusal: network.credentials() };
  const secure = url.protocol === "https:";
  const host = bareHost(url.hostname);
  if (host === undefined) return { refusal: network.malformed(text) };
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  if (port === 0 || BLOCKED_PORTS.has(port)) return { refusal: network.port(port) };
  return { url, host, port, secure };
}

/** A host, and its port when that isn't one of the web's own, as the flag takes it. */
export function grantText({ host, port }: NetGrant): string {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return port === undefined || port === 80 || port === 443 ? bracketed : `${bracketed}:${String(port)}`;
}

/** Why a request may not go to a destination, by its URL alone. */
export function refusalOf(text: string, grants: readonly NetGrant[]): NetFailure | undefined {
  const read = readDestination(text);
  if ("refusal" in read) return { code: "invalid", message: read.refusal };
  return isGranted(read, grants) ? undefined : { code: "refused", message: network.notGranted(grantText(read), grants.map(grantText)) };
}

/** Whether a grant lets a destination in. */
export function isGranted({ host, port }: Pick<Destination, "host" | "port">, grants: readonly NetGrant[]): boolean {
  return grants.some((grant) => (grant.port === undefined || grant.port === port) && isHostOf(host, grant.host));
}

/** Whether a host is the one that a pattern names: itself, or one beneath `*.name`. */
export function isHostOf(host: string, pattern: string): boolean {
  if (pattern.startsWith("*.")) {
    const parent = canonicalHost(pattern.slice(2));
    return parent !== undefined && !isAddress(host) && host.endsWith(`.${parent}`);
  }
  return canonicalHost(pattern) === host;
}

/** A host as `readDestination` writes it; undefined when it is none. */
export function canonicalHost(text: string): string | undefined {
  const bracketed = ADDRESS_V6.test(text) ? `[${text}]` : text;
  // What ends a host in a URL must not be read as the rest of one.
  const ends = bracketed.startsWith("[") ? /[/?#\\@\s]/ : /[/?#\\@\s:]/;
  if (bracketed === "" || ends.test(bracketed) || !URL.canParse(`https://${bracketed}`)) return undefined;
  return bareHost(new URL(`https://${bracketed}`).hostname);
}

/** What a colon is in, it is an address, of version 6; the parser of URLs knows which ones are none. */
const ADDRESS_V6 = /^[\da-f:.]*:[\da-f:.]*$/i;
/** As the parser of URLs writes one of version 4; a name does not end in a number (WHATWG URL, section 3.1). */
const ADDRESS_V4 = /^\d+(?:\.\d+){3}$/;

/** Of a host as `readDestination` writes it. */
function isAddress(host: string): boolean {
  return ADDRESS_V4.test(host) || ADDRESS_V6.test(host);
}

/** Names that lead to this machine whatever a resolver says (RFC 6761, section 6.3). */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function bareHost(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return host === "" || host.split(".").includes("") || host.length > 253 ? undefined : host;
}
