import CoreURL from "core-js-pure/actual/url/index.js";
import CoreURLSearchParams from "core-js-pure/actual/url-search-params/index.js";

type Inspect = (value: unknown, options: object) => string;

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");
const FIELDS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"] as const;

function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true, enumerable: false });
}

/** Shows the parts of a URL as Node does. */
define(CoreURL.prototype, CUSTOM, function (this: object, depth: number, options: object, inspect: Inspect): string {
  if (depth < 0) return "[URL]";
  const fields = FIELDS.map((name) => `  ${name}: ${inspect(Reflect.get(this, name), options)}`);
  return `URL {\n${fields.join(",\n")}\n}`;
});

define(CoreURLSearchParams.prototype, CUSTOM, function (this: Iterable<[string, string]>, _depth: number, options: object, inspect: Inspect): string {
  const pairs = [...this].map(([key, value]) => `${inspect(key, options)} => ${inspect(value, options)}`);
  return pairs.length === 0 ? "URLSearchParams {}" : `URLSearchParams { ${pairs.join(", ")} }`;
});

/** WHATWG URL by core-js, with Node's error for what is none. */
export const URL: typeof CoreURL = new Proxy(CoreURL, {
  construct(target, args, newTarget: unknown): object {
    try {
      return Reflect.construct(target, args, typeof newTarget === "function" && newTarget !== URL ? newTarget : target);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: String(args[0]) });
    }
  },
});
define(CoreURL.prototype, "constructor", URL);
export const URLSearchParams = CoreURLSearchParams;

/** The text of a URL or of its parameters; `undefined` for anything else. */
export function urlText(value: object): string | undefined {
  return value instanceof CoreURL || value instanceof CoreURLSearchParams ? String(value) : undefined;
}
