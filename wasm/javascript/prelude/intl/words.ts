import { NumberFormat } from "./number.ts";

/** ECMA-402's PluralRules for English. */
export class PluralRules {
  readonly #ordinal: boolean;

  constructor(_locales?: unknown, { type }: { readonly type?: string } = {}) {
    this.#ordinal = type === "ordinal";
  }
  select(value: number): string {
    if (!this.#ordinal) return value === 1 ? "one" : "other";
    const tens = value % 100;
    if (tens >= 11 && tens <= 13) return "other";
    return ["other", "one", "two", "few"][value % 10] ?? "other";
  }
}

/** ECMA-402's ListFormat for English. */
export class ListFormat {
  readonly #word: string;

  constructor(_locales?: unknown, { type = "conjunction" }: { readonly type?: string } = {}) {
    this.#word = type === "disjunction" ? "or" : type === "unit" ? "" : "and";
  }
  format(items: Iterable<unknown>): string {
    const texts = [...items].map(String);
    if (this.#word === "") return texts.join(", ");
    if (texts.length < 3) return texts.join(` ${this.#word} `);
    return `${texts.slice(0, -1).join(", ")}, ${this.#word} ${texts.at(-1)}`;
  }
}

const NAMED: Readonly<Record<string, readonly [last: string, now: string, next: string]>> = {
  day: ["yesterday", "today", "tomorrow"],
  week: ["last week", "this week", "next week"],
  month: ["last month", "this month", "next month"],
  year: ["last year", "this year", "next year"],
};

/** ECMA-402's RelativeTimeFormat for English. */
export class RelativeTimeFormat {
  readonly #auto: boolean;

  constructor(_locales?: unknown, { numeric }: { readonly numeric?: string } = {}) {
    this.#auto = numeric === "auto";
  }
  format(value: number, unit: string): string {
    const name = String(unit).replace(/s$/, "");
    const named = this.#auto && Number.isInteger(value) && Math.abs(value) <= 1 ? NAMED[name]?.[value + 1] : undefined;
    if (named !== undefined) return named;
    const amount = `${new NumberFormat().format(Math.abs(value))} ${name}${Math.abs(value) === 1 ? "" : "s"}`;
    return value < 0 || Object.is(value, -0) ? `${amount} ago` : `in ${amount}`;
  }
}

/** ECMA-402's Collator, near enough: letters before case and accents, numbers as numbers when asked. */
export class Collator {
  readonly #numeric: boolean;
  readonly #base: boolean;

  constructor(_locales?: unknown, { numeric = false, sensitivity = "variant" }: { readonly numeric?: boolean; readonly sensitivity?: string } = {}) {
    this.#numeric = numeric;
    this.#base = sensitivity === "base" || sensitivity === "accent";
  }
  get compare(): (a: unknown, b: unknown) => number {
    return (a, b) => compareTexts(String(a), String(b), this.#numeric, this.#base);
  }
}

/** `String.prototype.localeCompare` for English. */
export function compareTexts(a: string, b: string, numeric = false, base = false): number {
  const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const order = numeric ? comparePieces(plain(a), plain(b)) : compareCodes(plain(a), plain(b));
  if (order !== 0 || base) return order;
  const accents = compareCodes(a.normalize("NFD").toLowerCase(), b.normalize("NFD").toLowerCase());
  // Small letters come before capitals.
  return accents !== 0 ? accents : -compareCodes(a, b);
}

function compareCodes(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [a, b].map(sortable);
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

/** Puts spaces and punctuation before digits, and digits before letters. */
function sortable(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, (mark) => `\u0001${mark}`);
}

function comparePieces(a: string, b: string): number {
  const left = a.split(/(\d+)/);
  const right = b.split(/(\d+)/);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const [one = "", other = ""] = [left[index], right[index]];
    const order = /^\d/.test(one) && /^\d/.test(other) ? Number(one) - Number(other) : compareCodes(one, other);
    if (order !== 0) return Math.sign(order);
  }
  return Math.sign(left.length - right.length);
}
