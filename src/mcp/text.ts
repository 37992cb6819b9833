import type { Failure, Outcome } from "../policy/outcome.ts";
import { count, remarks } from "../policy/sentences.ts";
import { countLines, keepEnds, linesOf, trimLastBreak } from "./layout.ts";

/** Characters that the text of an answer may have. */
export const LONGEST_TEXT = 20_000;
/** The same for a failed call: one widely used client cuts the text of errors near 11,000 characters. */
const LONGEST_FAILURE = 10_000;
/** Kept for headings, marks and notes. */
const RESERVE = 800;
const LONGEST_NOTE = 500;
/** A longer value has a heading, since it may be cut. */
const LONGEST_PLAIN = 2_000;
const MOST_NOTES = 5;
/** How parts of an answer begin: a value with such a line keeps its heading, so that none can pass for another part. */
const LIKE_A_PART = /^\s*(?:result|stdout|stderr|files|error|note|no result)\b/i;

interface Section {
  /** What the part is called where the whole of it is left to be read. */
  readonly name: string;
  readonly heading: string;
  readonly body: string;
  /** Characters it gets before any section gets more. */
  readonly share: number;
}

/**
 * The text of an answer: the result first, then output, then the error with its line, then notes. Each
 * part's heading counts its lines, so nothing that the code printed can pass for another part. A value that
 * is all there is stands without a heading: most answers are that, and each token is paid for.
 */
export function outcomeText(outcome: Outcome, extra: readonly string[] = []): string {
  const { sections, sizes } = laidOut(outcome, extra);
  const parts = sections.map(({ heading, body }, index) => render(heading, keepEnds(body, sizes[index] ?? 0, remarks.cut)));
  const kept = (outcome.truncated ?? []).filter((part) => part === "stdout" || part === "stderr");
  const notes = [...(kept.length > 0 ? [remarks.keptLess(kept)] : []), ...notesOf(outcome), ...extra];
  const [only] = sections;
  if (only !== undefined && parts.length + notes.length === 1 && isPlainValue(only)) return trimLastBreak(only.body).toWellFormed();
  const all = [...parts, ...notes.map((note) => render("note", note))].join("\n").toWellFormed();
  return all === "" ? remarks.nothing(outcome.pictures ?? 0) : all;
}

/** The parts of an answer that its text has no room for, whole. */
export function cutParts(outcome: Outcome, extra: readonly string[] = []): { readonly name: string; readonly body: string }[] {
  const cutWith = (notes: readonly string[]): Section[] => {
    const { sections, sizes } = laidOut(outcome, notes);
    return sections.filter(({ body }, index) => body.length > (sizes[index] ?? 0));
  };
  // To say where the rest is takes room too.
  return cutWith(extra).length > 0 ? cutWith([...extra, " ".repeat(LONGEST_NOTE)]) : [];
}

/** The sections of a text, and the characters that each gets. */
function laidOut(outcome: Outcome, extra: readonly string[]): { sections: Section[]; sizes: number[] } {
  const longest = outcome.status === "ok" ? LONGEST_TEXT : LONGEST_FAILURE;
  const sections = sectionsOf(outcome, longest);
  return { sections, sizes: shareOut(sections, longest - RESERVE - noteLength(outcome, extra)) };
}

function isPlainValue({ heading, body }: Section): boolean {
  if (heading !== "result" || body.trim() === "" || body.length > LONGEST_PLAIN) return false;
  return !linesOf(body).some((line) => LIKE_A_PART.test(line));
}

function sectionsOf(outcome: Outcome, longest: number): Section[] {
  const sections: Section[] = [];
  const { result, repr, stdout, stderr, error, files } = outcome;
  const shown = repr ?? (result === undefined ? undefined : JSON.stringify(result));
  if (shown !== undefined) sections.push({ name: repr === undefined ? "result" : "repr", heading: "result", body: shown, share: longest * 0.4 });
  if (stdout !== "") sections.push({ name: "stdout", heading: "stdout", body: stdout, share: longest * 0.25 });
  if (stderr !== "") sections.push({ name: "stderr", heading: "stderr", body: stderr, share: longest * 0.15 });
  if (files !== undefined) {
    const lines = files.map(({ path, bytes, uri }) => remarks.file(path, bytes, uri));
    sections.push({ name: "files", heading: "files", body: lines.join("\n"), share: longest * 0.15 });
  }
  if (error !== undefined) sections.push({ name: "error", heading: errorHeading(error), body: errorBody(error), share: longest * 0.4 });
  return sections;
}

function errorHeading({ line, column }: Failure): string {
  if (line === undefined) return "error";
  return column === undefined ? `error at line ${String(line)}` : `error at line ${String(line)}, column ${String(column)}`;
}

/** The traceback when it says the message too, as most do; else the message and then the traceback. */
function errorBody({ type, message, traceback }: Failure): string {
  const told = message === "" ? type : `${type}: ${message}`;
  if (traceback === undefined || traceback === "") return told;
  return traceback.includes(told) ? traceback : `${told}\n${traceback}`;
}

function notesOf({ notes = [] }: Outcome): string[] {
  return notes.slice(0, MOST_NOTES).map((note) => keepEnds(note, LONGEST_NOTE, remarks.cut));
}

function noteLength(outcome: Outcome, extra: readonly string[]): number {
  return [...notesOf(outcome), ...extra].reduce((sum, note) => sum + note.length + 20, 0);
}

/** Gives each section what it needs up to its share, and what is left to those cut short, in their order. */
function shareOut(sections: readonly Section[], total: number): number[] {
  const sum = sections.reduce((all, { share }) => all + share, 0);
  const scale = Math.min(1, total / Math.max(1, sum));
  const sizes = sections.map(({ body, share }) => Math.min(body.length, Math.floor(share * scale)));
  let left = total - sizes.reduce((all, size) => all + size, 0);
  return sizes.map((size, index) => {
    const more = Math.min(left, (sections[index]?.body.length ?? 0) - size);
    left -= more;
    return size + more;
  });
}

function render(heading: string, body: string): string {
  const lines = countLines(body);
  const shown = trimLastBreak(body);
  return lines === 1 ? `${heading}: ${shown}` : `${heading} (${count(lines, "line")}):\n${shown}`;
}
