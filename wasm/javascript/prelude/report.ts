import type { Failure } from "./failure.ts";
import { show } from "./inspect.ts";
import { stringify } from "./intrinsics.ts";
import { hugeDigits, toJson } from "./values.ts";

/** The report of a turn as JSON text (reportSchema of the host). */
export function present(failure: Failure | undefined, value: unknown): string {
  if (failure !== undefined) return stringify({ status: "error", error: failure });
  if (value === undefined) return '{"status":"ok"}';
  const { json, notes } = toJson(value);
  const shown = (typeof value === "bigint" ? hugeDigits(value) : undefined) ?? show(value);
  const repr = stringify(shown.toWellFormed());
  const hints = notes.length > 0 ? `,"notes":${stringify(notes)}` : "";
  return `{"status":"ok","result":${json},"repr":${repr}${hints}}`;
}
