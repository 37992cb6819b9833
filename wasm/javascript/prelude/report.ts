import type { Failure } from "./failure.ts";
import { show } from "./inspect.ts";
import { toJson } from "./values.ts";

/** The report of a turn as JSON text (reportSchema of the host). */
export function present(failure: Failure | undefined, value: unknown): string {
  if (failure !== undefined) return JSON.stringify({ status: "error", error: failure });
  if (value === undefined) return '{"status":"ok"}';
  const { json, notes } = toJson(value);
  const repr = JSON.stringify(show(value).toWellFormed());
  const hints = notes.length > 0 ? `,"notes":${JSON.stringify(notes)}` : "";
  return `{"status":"ok","result":${json},"repr":${repr}${hints}}`;
}
