import { DateTimeFormat, type DateOptions, dateTimeParts, withDefaults } from "./date.ts";
import { localeOf } from "./locale.ts";
import { setName } from "../names.ts";
import { NumberFormat, type NumberOptions, numberParts } from "./number.ts";
import { Collator, compareTexts, ListFormat, PluralRules, RelativeTimeFormat } from "./words.ts";

/** Gives the engine, which has none, an `Intl` for English and UTC, and the methods that stand on it. */
export function installIntl(): void {
  const formatNumber = (value: number | bigint, options: NumberOptions = {}): string =>
    numberParts(value, options).map((part) => part.value).join("");
  const dateMethod = (defaults: "date" | "time" | "all") =>
    function (this: Date, locales?: unknown, options: DateOptions = {}): string {
      const time = this.getTime();
      if (Number.isNaN(time)) return "Invalid Date";
      return dateTimeParts(time, withDefaults(options, defaults), localeOf(locales)).map((part) => part.value).join("");
    };
  method(Number.prototype, "toLocaleString", function (this: number, locales?: unknown, options?: NumberOptions) {
    localeOf(locales);
    return formatNumber(Number(this), options);
  });
  method(BigInt.prototype, "toLocaleString", function (this: bigint, locales?: unknown, options?: NumberOptions) {
    localeOf(locales);
    return formatNumber(this.valueOf(), options);
  });
  method(Date.prototype, "toLocaleDateString", dateMethod("date"));
  method(Date.prototype, "toLocaleTimeString", dateMethod("time"));
  method(Date.prototype, "toLocaleString", dateMethod("all"));
  method(String.prototype, "localeCompare", function (this: unknown, other: unknown, locales?: unknown, options?: { numeric?: boolean; sensitivity?: string }) {
    if (options) return new Collator(locales, options).compare(String(this), other);
    return compareTexts(String(this), String(other));
  });
  const intl = { Collator, DateTimeFormat, ListFormat, NumberFormat, PluralRules, RelativeTimeFormat, getCanonicalLocales: (locales: unknown) => [locales ?? []].flat().map(String) };
  for (const [name, value] of Object.entries(intl)) setName(value, name);
  Object.defineProperty(globalThis, "Intl", { value: callable(intl), writable: true, configurable: true, enumerable: false });
}

function method(target: object, name: string, value: (...args: never[]) => unknown): void {
  setName(value, name);
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** `Intl.NumberFormat()` and `Intl.DateTimeFormat()` work without `new`. */
function callable<T extends Record<string, unknown>>(intl: T): T {
  const proxies = Object.entries(intl).map(([name, value]) => {
    if (typeof value !== "function" || !/Format$|^Collator$/.test(name)) return [name, value];
    return [name, new Proxy(value, { apply: (target, _this, args) => Reflect.construct(target, args) })];
  });
  return Object.assign(intl, Object.fromEntries(proxies), { [Symbol.toStringTag]: "Intl" });
}
