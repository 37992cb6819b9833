/** Headers as they follow one another, names as they were written. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A field value of RFC 9110, section 5.5: no control but the tab, so no line can be begun. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
/** What is the connection's, and so the host's to say (RFC 9110, section 7.6.1). */
const OURS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers of a response that describe how it came, which is not how it is handed on. */
const HOP: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]);
/** Methods that would make the connection something else, or echo it. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

export function isMethod(method: string): boolean {
  return TOKEN.test(method) && method.length <= 32 && !FORBIDDEN_METHODS.has(method.toUpperCase());
}

/** The name of a header that can't be sent as it is; undefined when all can. */
export function badHeader(headers: HeaderList): string | undefined {
  return headers.find(([name, value]) => !TOKEN.test(name) || !VALUE.test(value))?.[0];
}

/** Bytes that the headers of a request take on the wire, about, with the line above them. */
export function sizeOfRequest({ method, url, headers }: { readonly method: string; readonly url: string; readonly headers: HeaderList }): number {
  return headers.reduce((size, [name, value]) => size + name.length + value.length + 4, method.length + url.length);
}

/** Values by name, without those that are the host's to say. */
export function outgoing(headers: HeaderList): Map<string, string[]> {
  const grouped = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (OURS.has(key)) continue;
    const known = grouped.get(key);
    if (known === undefined) grouped.set(key, { name, values: [value] });
    else known.values.push(value);
  }
  return new Map([...grouped.values()].map(({ name, values }) => [name, values]));
}

/** A response's headers from Node's flat list; `unpacked` leaves out what told of the packed body. */
export function incoming(raw: readonly string[], unpacked: boolean): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  const dropped = (name: string): boolean => HOP.has(name) || (unpacked && (name === "content-encoding" || name === "content-length"));
  return pairs.filter(([name]) => !dropped(name.toLowerCase()));
}
