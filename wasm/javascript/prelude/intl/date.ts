import { localeOf } from "./locale.ts";
import type { Part } from "./number.ts";

type Width = "numeric" | "2-digit" | "long" | "short" | "narrow";
type Style = "full" | "long" | "medium" | "short";

/** The options of ECMA-402's DateTimeFormat that are served, in English and UTC. */
export interface DateOptions {
  readonly weekday?: Width;
  readonly year?: Width;
  readonly month?: Width;
  readonly day?: Width;
  readonly hour?: Width;
  readonly minute?: Width;
  readonly second?: Width;
  readonly fractionalSecondDigits?: number;
  readonly hour12?: boolean;
  readonly hourCycle?: "h11" | "h12" | "h23" | "h24";
  readonly timeZone?: string;
  readonly timeZoneName?: string;
  readonly dateStyle?: Style;
  readonly timeStyle?: Style;
}

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"] as const;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const UTC_NAMES = new Set(["UTC", "GMT", "ETC/UTC", "ETC/GMT", "Z", "+00:00"]);
const DATE_STYLES = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
} as const satisfies Record<Style, DateOptions>;
const TIME_STYLES = {
  full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "long" },
  long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
  medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  short: { hour: "numeric", minute: "2-digit" },
} as const satisfies Record<Style, DateOptions>;

function resolve({ dateStyle, timeStyle, ...options }: DateOptions): DateOptions {
  const { timeZone } = options;
  if (timeZone !== undefined && !UTC_NAMES.has(timeZone.toUpperCase())) {
    throw new RangeError(`Time zone ${timeZone} is not inside: this sandbox has UTC alone. Shift the time by its offset instead.`);
  }
  return { ...options, ...(dateStyle ? DATE_STYLES[dateStyle] : {}), ...(timeStyle ? TIME_STYLES[timeStyle] : {}) };
}

/** Fills in what is shown when the options name no field. */
export function withDefaults(options: DateOptions, defaults: "date" | "time" | "all"): DateOptions {
  const { weekday, year, month, day, hour, minute, second, dateStyle, timeStyle, fractionalSecondDigits } = options;
  const named = [dateStyle, timeStyle, fractionalSecondDigits];
  const asked = [...named, ...(defaults === "time" ? [] : [weekday, year, month, day]), ...(defaults === "date" ? [] : [hour, minute, second])];
  if (asked.some((field) => field !== undefined)) return options;
  const date = defaults === "time" ? {} : ({ year: "numeric", month: "numeric", day: "numeric" } as const);
  const time = defaults === "date" ? {} : ({ hour: "numeric", minute: "2-digit", second: "2-digit" } as const);
  return { ...options, ...date, ...time };
}

const two = (value: number): string => String(value).padStart(2, "0");
const cut = (name: string, width: Width): string => (width === "long" ? name : name.slice(0, width === "narrow" ? 1 : 3));

function dateParts(date: Date, options: DateOptions, british: boolean, iso: boolean): Part[] {
  const { weekday, year, month, day } = options;
  const parts: Record<"weekday" | "month" | "day" | "year", Part | undefined> = {
    weekday: weekday && { type: "weekday", value: cut(DAYS[date.getUTCDay()] ?? "", weekday) },
    month: month && { type: "month", value: monthName(date.getUTCMonth(), british && day && year && month === "numeric" ? "2-digit" : month) },
    day: day && { type: "day", value: day === "2-digit" || (british && month === "numeric") ? two(date.getUTCDate()) : String(date.getUTCDate()) },
    year: year && { type: "year", value: year === "2-digit" ? two(date.getUTCFullYear() % 100) : String(date.getUTCFullYear()) },
  };
  const digits = month === undefined || month === "numeric" || month === "2-digit";
  if (iso && digits && month && day) {
    const parts = [{ type: "month", value: two(date.getUTCMonth() + 1) }, { type: "day", value: two(date.getUTCDate()) }];
    return join([year && { type: "year", value: String(date.getUTCFullYear()) }, ...parts], "-");
  }
  if (digits || british) {
    const order = british ? [parts.day, parts.month, parts.year] : [parts.month, parts.day, parts.year];
    return join([join([parts.weekday], ""), join(order, digits ? "/" : " ")], british && !digits ? " " : ", ");
  }
  return join([join([parts.weekday], ""), join([parts.month, parts.day], " "), join([parts.year], "")], ", ", parts.day === undefined ? " " : ", ");
}

function monthName(month: number, width: Width): string {
  if (width === "numeric") return String(month + 1);
  return width === "2-digit" ? two(month + 1) : cut(MONTHS[month] ?? "", width);
}

/** Joins what there is; the last two by `last`. */
function join(items: readonly (Part | readonly Part[] | undefined)[], separator: string, last: string = separator): Part[] {
  const there = items.map((item) => (item === undefined ? [] : [item].flat())).filter((item) => item.length > 0);
  return there.flatMap((item, index) => (index === 0 ? item : [{ type: "literal", value: index === there.length - 1 ? last : separator }, ...item]));
}

function timeParts(date: Date, options: DateOptions, british: boolean): Part[] {
  const { hour, minute, second, fractionalSecondDigits, timeZoneName } = options;
  const half = options.hour12 ?? (options.hourCycle ? /h1[12]/.test(options.hourCycle) : !british);
  const hours = date.getUTCHours();
  const shown = half ? hours % 12 || 12 : hours;
  const fraction = fractionalSecondDigits ? String(date.getUTCMilliseconds()).padStart(3, "0").slice(0, fractionalSecondDigits) : "";
  const seconds = second && { type: "second", value: minute || second === "2-digit" ? two(date.getUTCSeconds()) : String(date.getUTCSeconds()) };
  const parts = join(
    [
      hour && { type: "hour", value: hour === "2-digit" || !half ? two(shown) : String(shown) },
      minute && { type: "minute", value: hour || second || minute === "2-digit" ? two(date.getUTCMinutes()) : String(date.getUTCMinutes()) },
      fraction === "" ? seconds : [...(seconds ? [seconds, { type: "literal", value: "." }] : []), { type: "fractionalSecond", value: fraction }],
    ],
    ":",
  );
  if (hour && half) parts.push({ type: "literal", value: " " }, { type: "dayPeriod", value: hours < 12 ? "AM" : "PM" });
  if (timeZoneName) parts.push({ type: "literal", value: " " }, { type: "timeZoneName", value: timeZoneName === "long" ? "Coordinated Universal Time" : "UTC" });
  return parts;
}

/** ECMA-402's FormatDateTimeToParts for en-US, en-GB's order, and the ISO dates of en-CA and sv-SE. */
export function dateTimeParts(value: number, given: DateOptions, locale: string): Part[] {
  if (!Number.isFinite(value)) throw new RangeError("Invalid time value");
  const options = resolve(given);
  const british = /^en-(?:GB|AU|NZ|IE|IN|ZA)/.test(locale);
  const date = new Date(value);
  const long = options.month === "long" && (given.dateStyle !== undefined || options.hour !== undefined);
  const iso = /^(?:en-CA|sv-SE)\b/i.test(locale);
  const swedish = iso && locale.startsWith("sv");
  return join([dateParts(date, options, british, iso), timeParts(date, options, british || swedish)], long ? " at " : swedish ? " " : ", ");
}

export class DateTimeFormat {
  readonly #options: DateOptions;
  readonly #locale: string;

  constructor(locales?: unknown, options: DateOptions = {}) {
    this.#locale = localeOf(locales);
    this.#options = withDefaults(options, "date");
    resolve(options);
  }
  static supportedLocalesOf(locales: unknown): string[] {
    return [locales].flat().map(String).filter((locale) => locale.startsWith("en"));
  }
  get format(): (value?: unknown) => string {
    return (value) => this.formatToParts(value).map((part) => part.value).join("");
  }
  formatToParts(value: unknown = Date.now()): Part[] {
    return dateTimeParts(Number(value), this.#options, this.#locale);
  }
  formatRange(start: unknown, end: unknown): string {
    return `${this.format(start)} – ${this.format(end)}`;
  }
  resolvedOptions(): object {
    return { locale: "en-US", calendar: "gregory", numberingSystem: "latn", timeZone: "UTC", ...this.#options };
  }
}
