import { placeholderOf } from "../../policy/grants.ts";
import type { Destination } from "./hosts.ts";
import { isHostOf } from "./hosts.ts";
import type { HeaderList } from "./headers.ts";

/** A value that the code may use but never see. */
export interface Secret {
  readonly name: string;
  /** The host that it goes to, or a pattern of `isHostOf`. */
  readonly host: string;
  readonly value: string;
}

/** A request with the values in place. */
export interface Revealed {
  readonly url: URL;
  readonly headers: HeaderList;
  /** What to look for in the response, and what to put in its place. */
  readonly needles: readonly Needle[];
}

export interface Needle {
  readonly find: Buffer;
  readonly put: Buffer;
}

/**
 * Puts values where a request carries their placeholders: in headers, in `Authorization: Basic` and in the query.
 * Gives the secret instead that is not for this destination, or would not go over TLS.
 */
export function reveal(secrets: readonly Secret[], { url, host, secure }: Destination, headers: HeaderList): Revealed | { readonly withheld: Secret } {
  const asked = secrets.filter(({ name }) => carries(url, headers, placeholderOf(name)));
  const withheld = asked.find((secret) => !secure || !isHostOf(host, secret.host));
  if (withheld !== undefined) return { withheld };
  const needles = secrets.filter((secret) => isHostOf(host, secret.host)).flatMap(needlesOf);
  const put = (text: string, write: (value: string) => string): string =>
    asked.reduce((filled, { name, value }) => filled.replaceAll(placeholderOf(name), () => write(value)), text);
  const filled = headers.map(([name, value]): [string, string] => {
    const basic = basicOf(name, value);
    if (basic === undefined) return [name, put(value, (secret) => secret)];
    const decoded = put(basic.text, (secret) => secret);
    if (decoded === basic.text) return [name, value];
    const encoded = Buffer.from(decoded, "utf8").toString("base64");
    needles.push({ find: Buffer.from(encoded), put: Buffer.from(basic.encoded) });
    return [name, `Basic ${encoded}`];
  });
  const target = new URL(url);
  if (asked.length > 0) target.search = put(target.search, encodeURIComponent);
  return { url: target, headers: filled, needles };
}

/** The ways in which a server is likely to give a value back. */
function needlesOf({ name, value }: Secret): Needle[] {
  const forms = new Set([
    value,
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString("base64"),
    Buffer.from(value).toString("base64url"),
    Buffer.from(value).toString("hex"),
    value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ]);
  const put = Buffer.from(placeholderOf(name));
  // The longer first: one form may begin as another does.
  return [...forms].sort((one, other) => other.length - one.length).map((form) => ({ find: Buffer.from(form), put }));
}

function carries(url: URL, headers: HeaderList, placeholder: string): boolean {
  if (url.href.includes(placeholder)) return true;
  return headers.some(([name, value]) => value.includes(placeholder) || basicOf(name, value)?.text.includes(placeholder) === true);
}

/** What `Authorization: Basic` encodes (RFC 7617). */
function basicOf(name: string, value: string): { readonly encoded: string; readonly text: string } | undefined {
  if (name.toLowerCase() !== "authorization") return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(value)?.[1];
  return encoded === undefined ? undefined : { encoded, text: Buffer.from(encoded, "base64").toString("utf8") };
}

/** Replaces what a response gives back of a secret, across the pieces that it comes in. */
export function createVeil(needles: readonly Needle[]): { readonly cover: (bytes: Uint8Array, last: boolean) => Uint8Array } {
  const longest = needles.reduce((most, { find }) => Math.max(most, find.length), 0);
  let held = Buffer.alloc(0);

  /** How many bytes at the end may be the beginning of a needle. */
  const openEnd = (bytes: Buffer): number => {
    for (let length = Math.min(longest - 1, bytes.length); length > 0; length -= 1) {
      const tail = bytes.subarray(bytes.length - length);
      if (needles.some(({ find }) => find.length > length && find.subarray(0, length).equals(tail))) return length;
    }
    return 0;
  };

  return {
    cover(bytes, last) {
      if (needles.length === 0) return bytes;
      const all = Buffer.concat([held, bytes]);
      const parts: Buffer[] = [];
      let at = 0;
      const firstOf = finder(needles, all);
      for (let next = firstOf(at); next !== undefined; next = firstOf(at)) {
        parts.push(all.subarray(at, next.at), next.needle.put);
        at = next.at + next.needle.find.length;
      }
      const rest = all.subarray(at);
      const open = last ? 0 : openEnd(rest);
      held = Buffer.from(rest.subarray(rest.length - open));
      return Buffer.concat([...parts, rest.subarray(0, rest.length - open)]);
    },
  };
}

/** A text without what it gives back of a secret. */
export function veiled(text: string, needles: readonly Needle[]): string {
  return needles.length === 0 ? text : Buffer.from(createVeil(needles).cover(Buffer.from(text, "latin1"), true)).toString("latin1");
}

interface Found {
  readonly at: number;
  readonly needle: Needle;
}

/** Finds the first of the needles from a place on; the places must grow. Each needle's own search goes through the bytes once. */
function finder(needles: readonly Needle[], bytes: Buffer): (from: number) => Found | undefined {
  const ahead = needles.map((needle) => ({ needle, at: bytes.indexOf(needle.find) }));
  return (from) => {
    let first: Found | undefined;
    for (const one of ahead) {
      if (one.at >= 0 && one.at < from) one.at = bytes.indexOf(one.needle.find, from);
      if (one.at >= 0 && (first === undefined || one.at < first.at)) first = one;
    }
    return first && { ...first };
  };
}
