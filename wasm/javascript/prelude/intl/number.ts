import { localeOf } from "./locale.ts";
import { roundToFraction, roundToSignificant, toDecimal, toPlain } from "./decimal.ts";

/** The options of ECMA-402's NumberFormat that are served; locales other than English resolve to en-US. */
export interface NumberOptions {
  readonly style?: "decimal" | "percent" | "currency" | "unit";
  readonly currency?: string;
  readonly currencyDisplay?: "symbol" | "narrowSymbol" | "code" | "name";
  readonly unit?: string;
  readonly unitDisplay?: "short" | "narrow" | "long";
  readonly notation?: "standard" | "compact";
  readonly compactDisplay?: "short" | "long";
  readonly useGrouping?: boolean | string;
  readonly signDisplay?: "auto" | "always" | "never" | "exceptZero" | "negative";
  readonly minimumIntegerDigits?: number;
  readonly minimumFractionDigits?: number;
  readonly maximumFractionDigits?: number;
  readonly minimumSignificantDigits?: number;
  readonly maximumSignificantDigits?: number;
}

export interface Part {
  readonly type: string;
  readonly value: string;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  USD: "$", EUR: "€", GBP: "£", JPY: "¥", CNY: "CN¥", INR: "₹", KRW: "₩", BRL: "R$", CAD: "CA$", AUD: "A$",
  MXN: "MX$", NZD: "NZ$", HKD: "HK$", ILS: "₪", VND: "₫", TWD: "NT$", PHP: "₱", XAF: "FCFA", XOF: "F\u202fCFA",
};
const NO_CENTS = new Set(["JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF"]);
const COMPACT = [["T", "trillion", 12], ["B", "billion", 9], ["M", "million", 6], ["K", "thousand", 3]] as const;
const UNITS: Readonly<Record<string, readonly [short: string, long: string]>> = {
  kilometer: ["km", "kilometer"], meter: ["m", "meter"], centimeter: ["cm", "centimeter"], mile: ["mi", "mile"], kilogram: ["kg", "kilogram"],
  gram: ["g", "gram"], liter: ["L", "liter"], celsius: ["°C", "degree Celsius"], fahrenheit: ["°F", "degree Fahrenheit"], percent: ["%", "percent"],
  second: ["sec", "second"], minute: ["min", "minute"], hour: ["hr", "hour"], day: ["day", "day"], byte: ["byte", "byte"],
  kilobyte: ["kB", "kilobyte"], megabyte: ["MB", "megabyte"], gigabyte: ["GB", "gigabyte"], "kilometer-per-hour": ["km/h", "kilometer per hour"],
};

function limitsOf(options: NumberOptions): { readonly minimum: number; readonly maximum: number } {
  const { style, currency = "", notation, minimumFractionDigits, maximumFractionDigits } = options;
  const cents = style === "currency" && notation !== "compact" ? (NO_CENTS.has(currency.toUpperCase()) ? 0 : 2) : 0;
  const minimum = check(minimumFractionDigits, "minimumFractionDigits") ?? Math.min(cents, maximumFractionDigits ?? cents);
  const usual = style === "currency" || style === "percent" || notation === "compact" ? cents : 3;
  const maximum = check(maximumFractionDigits, "maximumFractionDigits") ?? Math.max(minimum, usual);
  if (minimum > maximum) throw new RangeError("maximumFractionDigits value is out of range.");
  return { minimum, maximum };
}

function check(digits: number | undefined, name: string): number | undefined {
  if (digits !== undefined && !(digits >= 0 && digits <= 100)) throw new RangeError(`${name} value is out of range.`);
  return digits;
}

/** ECMA-402's FormatNumericToParts for en-US. */
export function numberParts(value: number | bigint, options: NumberOptions): Part[] {
  const percent = options.style === "percent";
  const negative = value < 0 || Object.is(value, -0);
  let decimal = typeof value === "number" && !Number.isFinite(value) ? undefined : toDecimal(value);
  if (decimal && percent && decimal.digits !== "") decimal = { ...decimal, point: decimal.point + 2 };
  const compact = options.notation === "compact" && decimal ? COMPACT.find(([, , zeros]) => decimal && decimal.point > zeros) : undefined;
  if (decimal && compact) decimal = { ...decimal, point: decimal.point - compact[2] };
  const parts: Part[] = decimal ? digitParts(decimal, options) : [{ type: Number.isNaN(value) ? "nan" : "infinity", value: Number.isNaN(value) ? "NaN" : "∞" }];
  if (compact) {
    if (options.compactDisplay === "long") parts.push({ type: "literal", value: " " });
    parts.push({ type: "compact", value: options.compactDisplay === "long" ? compact[1] : compact[0] });
  }
  const isZero = decimal?.digits === "" || parts.every(({ type, value: text }) => !/integer|fraction/.test(type) || /^0*$/.test(text));
  const sign = signOf(negative && !Number.isNaN(value), isZero, options.signDisplay ?? "auto");
  return [...(sign === "" ? [] : [{ type: sign === "-" ? "minusSign" : "plusSign", value: sign }]), ...dress(parts, options, Number(value))];
}

function digitParts(decimal: ReturnType<typeof toDecimal>, options: NumberOptions): Part[] {
  const { minimum, maximum } = limitsOf(options);
  const { minimumSignificantDigits: least = 1, maximumSignificantDigits: most = 21, notation } = options;
  const bySignificant = options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined;
  // Compact notation keeps two digits below a hundred, as ICU does.
  const short = notation === "compact" && options.maximumFractionDigits === undefined && !bySignificant && decimal.point < 2;
  const rounded = bySignificant ? roundToSignificant(decimal, most) : short ? roundToSignificant(decimal, 2) : roundToFraction(decimal, maximum);
  const { whole, fraction } = toPlain(rounded, bySignificant ? Math.max(0, least - Math.max(rounded.point, 1)) : minimum);
  const filled = whole.padStart(options.minimumIntegerDigits ?? 1, "0");
  const grouped = options.useGrouping === false || options.useGrouping === "false" || (notation === "compact" && filled.length < 5);
  const groups = grouped ? [filled] : filled.split(/\B(?=(?:\d{3})+$)/);
  const parts: Part[] = groups.flatMap((group, index) => [...(index > 0 ? [{ type: "group", value: "," }] : []), { type: "integer", value: group }]);
  return fraction === "" ? parts : [...parts, { type: "decimal", value: "." }, { type: "fraction", value: fraction }];
}

function signOf(negative: boolean, isZero: boolean, display: NonNullable<NumberOptions["signDisplay"]>): string {
  if (display === "never" || (isZero && (display === "exceptZero" || display === "negative"))) return "";
  if (negative) return "-";
  return display === "always" || display === "exceptZero" ? "+" : "";
}

/** Puts the currency, per cent sign or unit beside the digits. */
function dress(parts: Part[], options: NumberOptions, value: number): Part[] {
  const { style, currency, currencyDisplay = "symbol", unit, unitDisplay = "short" } = options;
  if (style === "percent") return [...parts, { type: "percentSign", value: "%" }];
  if (style === "currency") {
    if (currency === undefined) throw new TypeError("Currency code is required with currency style.");
    const code = currency.toUpperCase();
    if (currencyDisplay === "name") return [...parts, { type: "literal", value: " " }, { type: "currency", value: code }];
    const symbol = currencyDisplay === "code" ? code : (SYMBOLS[code] ?? code);
    const shown = currencyDisplay === "narrowSymbol" ? symbol.replace(/^[A-Z]+(?=[^A-Z])/, "") : symbol;
    return [{ type: "currency", value: shown }, ...(/[A-Z]$/.test(shown) ? [{ type: "literal", value: "\u00a0" }] : []), ...parts];
  }
  if (style !== "unit") return parts;
  const [short, long] = UNITS[unit ?? ""] ?? [unit ?? "", unit ?? ""];
  const plural = value === 1 || value === -1 ? "" : "s";
  if (unitDisplay === "long") return [...parts, { type: "literal", value: " " }, { type: "unit", value: `${long}${plural}` }];
  const tight = unitDisplay === "narrow" || /^[°%]/.test(short);
  const name = short === "day" || short === "byte" ? `${short}${plural}` : short;
  return [...parts, ...(tight ? [] : [{ type: "literal", value: " " }]), { type: "unit", value: name }];
}

export class NumberFormat {
  readonly #options: NumberOptions;

  constructor(locales?: unknown, options: NumberOptions = {}) {
    localeOf(locales);
    this.#options = options;
    numberParts(0, options);
  }
  static supportedLocalesOf(locales: unknown): string[] {
    return [locales].flat().map(String).filter((locale) => locale.startsWith("en"));
  }
  get format(): (value: unknown) => string {
    return (value) => this.formatToParts(value).map((part) => part.value).join("");
  }
  formatToParts(value: unknown): Part[] {
    return numberParts(typeof value === "bigint" ? value : Number(value), this.#options);
  }
  resolvedOptions(): object {
    const { minimum, maximum } = limitsOf(this.#options);
    return { locale: "en-US", numberingSystem: "latn", style: "decimal", minimumFractionDigits: minimum, maximumFractionDigits: maximum, ...this.#options };
  }
}
