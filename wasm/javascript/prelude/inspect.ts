import { inspect, type InspectOptions, Proxy as InspectedProxy } from "node-inspect-extracted";

/** Longest text of one value, in characters. */
const LIMIT = 65_536;

/** A value as Node prints it; never throws, never without end. */
export function show(value: unknown, options: InspectOptions = {}): string {
  try {
    return cutText(inspect(value, options));
  } catch (error) {
    return `[cannot be shown: ${error instanceof Error ? error.message : "it throws"}]`;
  }
}

/** Keys that are shown of one object. */
const KEYS = 100;

/** As `show`, but of an object with many keys the first of them. */
export function showShort(value: unknown): string {
  if (!isPlain(value)) return show(value);
  const keys = Object.keys(value);
  if (keys.length <= KEYS) return show(value);
  const text = show(Object.fromEntries(keys.slice(0, KEYS).map((key) => [key, value[key]])));
  const more = (keys.length - KEYS).toLocaleString("en");
  return `${text.replace(/\s*\}$/, "")},\n  … ${more} more keys\n}`;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && proxyTarget(value) === undefined && Object.getPrototypeOf(value) === Object.prototype;
}

/** The target of a proxy that the code made, null when it is revoked; undefined for what is none. No trap is run. */
export function proxyTarget(value: object): object | null | undefined {
  const details: unknown = Reflect.get(InspectedProxy, "getProxyDetails");
  return typeof details === "function" ? Reflect.apply(details, InspectedProxy, [value, false]) : undefined;
}

function cutText(text: string): string {
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}… [${text.length - LIMIT} more characters]`;
}
