import type { Failure } from "./failure.ts";
import { show } from "./inspect.ts";
import { stringify } from "./intrinsics.ts";
import { takeNotes } from "./notes.ts";
import { hugeDigits, toJson } from "./values.ts";

/** The report of a turn as JSON text (reportSchema of the host). */
export function present(failure: Failure | undefined, value: unknown): string {
  const told = takeNotes();
  const some = (notes: readonly string[]): string => (notes.length > 0 ? `,"notes":${stringify(notes)}` : "");
  if (failure !== undefined) return `{"status":"error","error":${stringify(failure)}${some(told)}}`;
  if (value === undefined) return `{"status":"ok"${some(told)}}`;
  const { json, notes } = toJson(value);
  const shown = (typeof value === "bigint" ? hugeDigits(value) : undefined) ?? show(value);
  const repr = stringify(shown.toWellFormed());
  return `{"status":"ok","result":${json},"repr":${repr}${some([...told, ...notes])}}`;
}
