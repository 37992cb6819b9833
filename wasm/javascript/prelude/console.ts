import door from "belljar:guest/door";
import { formatWithOptions, inspect } from "node-inspect-extracted";
import { apart } from "./intrinsics.ts";
import { table } from "./table.ts";

type Stream = "stdout" | "stderr";

let indent = "";
const counts = new Map<string, number>();
const clocks = new Map<string, number>();

/** Prints text as it is; lone surrogates become U+FFFD. */
export function writeText(stream: Stream, text: string): void {
  door.write(stream, text.toWellFormed());
}

function linesOf(args: readonly unknown[]): string {
  const text = formatWithOptions({}, ...args);
  const lines = indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`);
  return `${lines}\n`.toWellFormed();
}

/** What fails with the language as the code has made it is done with the language as it was. */
function print(stream: Stream, args: readonly unknown[]): void {
  let lines: string;
  try {
    lines = linesOf(args);
  } catch {
    lines = apart(() => linesOf(args));
  }
  door.write(stream, lines);
}

function elapsed(label: string): string | undefined {
  const start = clocks.get(label);
  if (start === undefined) {
    print("stderr", [`Warning: No such label '${label}' for console.time()`]);
    return undefined;
  }
  const ms = door.monotonic() - start;
  return ms >= 1_000 ? `${label}: ${(ms / 1_000).toFixed(3)}s` : `${label}: ${Number(ms.toFixed(3))}ms`;
}

const log = (...args: unknown[]): void => print("stdout", args);
const error = (...args: unknown[]): void => print("stderr", args);

function group(...label: unknown[]): void {
  if (label.length > 0) log(...label);
  indent += "  ";
}

/** Node's console: what goes to which stream, and how it looks without a terminal. */
export const consoleObject = {
  log,
  info: log,
  debug: log,
  error,
  warn: error,
  dirxml: log,
  trace(...args: unknown[]) {
    const { stack = "" } = new Error();
    print("stderr", [`Trace${args.length > 0 ? `: ${formatWithOptions({}, ...args)}` : ""}${stack.slice(stack.indexOf("\n"))}`]);
  },
  assert(condition?: unknown, ...args: unknown[]) {
    if (condition) return;
    if (typeof args[0] === "string") error(`Assertion failed: ${args[0]}`, ...args.slice(1));
    else if (args.length > 0) error("Assertion failed:", ...args);
    else error("Assertion failed");
  },
  dir: (value?: unknown, options?: object) => log(inspect(value, { customInspect: false, ...options })),
  table(data?: unknown, columns?: readonly string[]) {
    const text = table(data, columns);
    if (text === undefined) log(data);
    else log(text);
  },
  group,
  groupCollapsed: group,
  groupEnd() {
    indent = indent.slice(2);
  },
  count(label: unknown = "default") {
    const count = (counts.get(String(label)) ?? 0) + 1;
    counts.set(String(label), count);
    log(`${label}: ${count}`);
  },
  countReset(label: unknown = "default") {
    counts.delete(String(label));
  },
  time(label: unknown = "default") {
    clocks.set(String(label), door.monotonic());
  },
  timeLog(label: unknown = "default", ...args: unknown[]) {
    const text = elapsed(String(label));
    if (text !== undefined) log(text, ...args);
  },
  timeEnd(label: unknown = "default") {
    const text = elapsed(String(label));
    if (text !== undefined) log(text);
    clocks.delete(String(label));
  },
  clear() {},
};
