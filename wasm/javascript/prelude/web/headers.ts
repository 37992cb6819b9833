type Inspect = (value: unknown, options: object) => string;

/** Anything that headers can be made of. */
export type HeadersInit = Headers | Iterable<readonly [unknown, unknown]> | Readonly<Record<string, unknown>>;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const lists = new WeakMap<Headers, [string, string][]>();

function listOf(headers: Headers): [string, string][] {
  const list = lists.get(headers);
  if (list === undefined) throw new TypeError("Illegal invocation: not Headers");
  return list;
}

function keyOf(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text)} is an invalid header name.`);
  return text.toLowerCase();
}

function valueOf(value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text.slice(0, 60))} is an invalid header value.`);
  return text;
}

/** Fetch Standard, section 5.1. */
export class Headers {
  constructor(init?: HeadersInit | null) {
    lists.set(this, []);
    if (init === undefined || init === null) return;
    const pairs: Iterable<readonly [unknown, unknown]> = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }
  append(name: unknown, value: unknown): void {
    listOf(this).push([keyOf(name), valueOf(value)]);
  }
  delete(name: unknown): void {
    const key = keyOf(name);
    lists.set(this, listOf(this).filter(([known]) => known !== key));
  }
  get(name: unknown): string | null {
    const key = keyOf(name);
    const values = listOf(this).flatMap(([known, value]) => (known === key ? [value] : []));
    return values.length === 0 ? null : values.join(", ");
  }
  getSetCookie(): string[] {
    return listOf(this).flatMap(([name, value]) => (name === "set-cookie" ? [value] : []));
  }
  has(name: unknown): boolean {
    const key = keyOf(name);
    return listOf(this).some(([known]) => known === key);
  }
  set(name: unknown, value: unknown): void {
    const text = valueOf(value);
    this.delete(name);
    this.append(name, text);
  }
  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    const names = [...new Set(listOf(this).map(([name]) => name))].sort();
    for (const name of names) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name) ?? ""];
    }
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "Headers";
  }
  [Symbol.for("nodejs.util.inspect.custom")](_depth: number, options: object, inspect: Inspect): string {
    return `Headers ${inspect(Object.fromEntries(this), options)}`;
  }
}

/** Name and value of each header, in the order in which they were added. */
export function headerPairs(headers: Headers): [string, string][] {
  return [...listOf(headers)];
}
