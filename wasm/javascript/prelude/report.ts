import type { Failure } from "./failure.ts";
import { proxyTarget, showShort } from "./inspect.ts";
import { stringify } from "./intrinsics.ts";
import { takeNotes } from "./notes.ts";
import { hugeDigits, toJson } from "./values.ts";

const GENERATOR = "The value is a generator, which is not run to show it: spread it, as in [...value].";
const generators = [Object.getPrototypeOf(function* () {}).prototype, Object.getPrototypeOf(async function* () {}).prototype];

/** The report of a turn as JSON text (reportSchema of the host). */
export function present(failure: Failure | undefined, value: unknown): string {
  const told = takeNotes();
  if (failure !== undefined) {
    const { hint, ...error } = failure;
    return `{"status":"error","error":${stringify(error)}${notesMember(hint === undefined ? told : [...told, hint])}}`;
  }
  if (value === undefined) return `{"status":"ok"${notesMember(told)}}`;
  // Shown first: that keeps the items of an iterator, which the JSON then takes.
  const shown = (typeof value === "bigint" ? hugeDigits(value) : undefined) ?? showShort(value);
  const { json, notes } = toJson(value);
  const hints = notesMember([...told, ...notes, ...(isGenerator(value) ? [GENERATOR] : [])]);
  return `{"status":"ok","result":${json},"repr":${stringify(shown.toWellFormed())}${hints}}`;
}

/** Written text by text: the code may have given arrays and objects a toJSON. */
function notesMember(notes: readonly string[]): string {
  return notes.length === 0 ? "" : `,"notes":[${notes.map((note) => stringify(note)).join(",")}]`;
}

function isGenerator(value: unknown): boolean {
  if (typeof value !== "object" || value === null || proxyTarget(value) !== undefined) return false;
  return generators.some((prototype) => Object.prototype.isPrototypeOf.call(prototype, value));
}
