import { inspect, type InspectOptions } from "node-inspect-extracted";

/** Longest text of one value, in characters. */
const LIMIT = 65_536;

/** A value as Node prints it; never throws, never without end. */
export function show(value: unknown, options: InspectOptions = {}): string {
  try {
    return cutText(inspect(value, options));
  } catch (error) {
    return `[cannot be shown: ${error instanceof Error ? error.message : "it throws"}]`;
  }
}

function cutText(text: string): string {
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}… [${text.length - LIMIT} more characters]`;
}
