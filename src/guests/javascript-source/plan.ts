import { createEdits } from "./edits.ts";
import { withoutFences, withoutProse } from "./markdown.ts";
import { HOOK } from "./completion.ts";

/** What `throw` is made to call ends in where it stands: it is not known ahead which unit of the sandbox the code will be. */
export type PlannedEdit = readonly [at: number, remove: number, insert: string] | readonly [at: number, thrownAt: number];

/** One piece of JavaScript made of TypeScript: its offset, and the offset in the source that it was made from. */
export type Piece = readonly [to: number, from: number];

/**
 * What is to be done to a code so that it can be evaluated: plain data, from which any copy of that code becomes the
 * same text. All offsets are in characters (UTF-16), from 0.
 */
export interface Plan {
  /** True when only what stands in Markdown's fences is code. */
  readonly fenced: boolean;
  /** As what it was parsed: as it stands, as one object literal, or as the JavaScript that was made of it as TypeScript. */
  readonly form: "plain" | "object" | { readonly text: string; readonly pieces: readonly Piece[] };
  /** Changes to that form; at one offset in this order. */
  readonly edits: readonly PlannedEdit[];
  readonly strict: boolean;
}

/** Code made ready to be evaluated by a scope's own `eval`. */
export interface Compiled {
  /** An expression whose value is an async function that runs the code. */
  readonly text: string;
  /** Lines that `text` has before the first of the code. */
  readonly headLines: number;
  /** From an offset in the code as it runs (after the head) to one in the code as it was given. */
  origin(offset: number): number;
  /** The code as it runs, without head and tail. */
  readonly body: string;
}

/** In the image: to make so many, one by one, takes the engine a third of what carrying out a short plan does. */
const MANY_LINES = "\n".repeat(1_000);

/** So many empty lines. */
function emptyLines(count: number): string {
  return count < MANY_LINES.length ? "\n".repeat(count) : MANY_LINES + "\n".repeat(count - MANY_LINES.length);
}

/** The code that a plan made of it, to be evaluated after `lineOffset` lines; `code` is what the plan was made of. */
export function carryOut(plan: Plan, code: string, lineOffset: number): Compiled {
  const { text, origin } = formOf(plan, code);
  const edits = createEdits(text);
  for (let index = 0; index < plan.edits.length; index += 1) {
    const edit = plan.edits[index];
    if (edit === undefined) continue;
    if (edit.length === 2) edits.insert(edit[0], `), ${lineOffset}, ${edit[1]})`);
    else edits.replace(edit[0], edit[0] + edit[1], edit[2]);
  }
  const edited = edits.apply();
  const head = `(async () => {${plan.strict ? '"use strict";' : ""} ${HOOK}.keep((${HOOK}_source) => eval(${HOOK}_source));`;
  return {
    text: `${emptyLines(lineOffset)}${head}\n${edited.text}\n})`,
    headLines: lineOffset + 1,
    body: edited.text,
    origin: (offset) => origin(edited.origin(offset)),
  };
}

function formOf({ fenced, form }: Plan, code: string): { readonly text: string; origin(offset: number): number } {
  if (typeof form === "object") return { text: form.text, origin: (offset) => originOf(form.pieces, offset) };
  const bare = withoutFences(code);
  const text = fenced ? (withoutProse(bare) ?? bare) : bare;
  return form === "object" ? { text: inParentheses(text), origin: (offset) => originInParentheses(text, offset) } : { text, origin: (offset) => offset };
}

/** An object literal as an expression. */
export function inParentheses(text: string): string {
  return `(${text}\n)`;
}

/** The offset in the text of one in the text in parentheses. */
export function originInParentheses(text: string, offset: number): number {
  return Math.min(Math.max(offset - 1, 0), text.length);
}

/** The offset in TypeScript of one in the JavaScript that was made of it. */
export function originOf(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.[0] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  const [to, from] = pieces[low] ?? [0, 0];
  return from + Math.max(0, offset - to);
}
