import { note } from "../notes.ts";

/** The first locale that was asked for, or en-US. Only English is inside, so another is told of. */
export function localeOf(locales: unknown): string {
  const [first] = [locales].flat();
  const tag = first === undefined ? "en-US" : String(first);
  if (!/^(?:en|sv-SE)\b/i.test(tag)) note(`Only English formats are inside: what was asked for in ${tag.slice(0, 35)} was written as in en-US.`);
  return tag;
}
