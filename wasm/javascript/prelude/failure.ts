import door from "belljar:guest/door";
import { positionOf } from "../../../src/guests/javascript-source/edits.ts";
import { explain } from "./explain.ts";
import { foldFrames } from "./fold.ts";
import { hintFor } from "./hints.ts";
import { show } from "./inspect.ts";
import { lastThrow } from "./places.ts";
import { SourceError } from "../../../src/guests/javascript-source/source-error.ts";
import { excerpt } from "./source.ts";
import { headline, offsetOfPlace, placeInUnit, rawStack, userFrames, type Place } from "./stack.ts";

/** What went wrong, in terms of the code as it was given; the report's `error`. */
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly traceback?: string;
  /** What to do instead, for the reader. */
  readonly hint?: string;
}

/** Longest message and traceback, in characters. */
const MESSAGE_LIMIT = 8_192;
const TRACEBACK_LIMIT = 16_384;
/** What the engine says in place of any message for which it gets no memory. */
const NO_MESSAGE = "Invalid error message";

/** Describes whatever was thrown; `code` is given when it is an error of the code's own syntax. */
export function failureOf(thrown: unknown, code?: string): Failure {
  // Without memory for an error the engine throws null; code that does so was seen at it.
  if (thrown === null && lastThrow(null) === undefined && wasMemoryFull()) return { type: "MemoryError", message: "out of memory" };
  if (!(thrown instanceof Error)) {
    const thrower = lastThrow(thrown);
    const place = thrower === undefined ? undefined : placeInUnit(thrower.unit, thrower.offset);
    const message = `Uncaught ${show(thrown)}`;
    return place === undefined ? { type: "Error", message: cut(message, MESSAGE_LIMIT) } : fill("Error", message, place, withExcerpt(place, `Error: ${message}`));
  }
  if (thrown instanceof SourceError && code !== undefined) {
    const place = { ...positionOf(code, thrown.offset), code, name: "<code>" };
    const failure = fill("SyntaxError", thrown.message, place, `${excerpt(code, thrown.offset)}\n\nSyntaxError: ${thrown.message}`);
    return withHint(failure, hintFor("SyntaxError", thrown.message, code));
  }
  const frames = userFrames(rawStack(thrown), thrown);
  const { first } = frames;
  const clearer = explain(safeText(thrown, "message", ""), frames);
  if (clearer !== undefined) Reflect.set(thrown, "message", clearer);
  if (isOutOfMemory(thrown)) return fill("MemoryError", "out of memory", first, withExcerpt(first, "InternalError: out of memory"));
  const text = first === undefined ? headline(thrown) : show(thrown);
  const type = safeText(thrown, "name", "Error");
  const message = safeText(thrown, "message", "");
  return withHint(fill(type, message, first, withExcerpt(first, foldFrames(text))), hintFor(type, message, first?.code ?? ""));
}

function withHint(failure: Failure, hint: string | undefined): Failure {
  return hint === undefined ? failure : { ...failure, hint };
}

/** The turn was interrupted where the stack says. */
export function interruptedFailure(stack: string | undefined): Failure {
  const { lines, first } = userFrames(stack ?? "");
  return fill("Interrupted", "the code was interrupted", first, withExcerpt(first, ["Interrupted", ...lines].join("\n")));
}

function fill(type: string, message: string, place: Place | undefined, traceback: string): Failure {
  return {
    type: cut(type, 256),
    message: cut(message, MESSAGE_LIMIT),
    ...(place === undefined ? {} : { line: place.line, column: place.column }),
    traceback: cut(traceback, TRACEBACK_LIMIT),
  };
}

function withExcerpt(place: Place | undefined, text: string): string {
  return place === undefined ? text : `${excerpt(place.code, offsetOfPlace(place))}\n\n${text}`;
}

/** Whether memory has been full: what filled it may be free by now, as that which the code awaited is. */
function wasMemoryFull(): boolean {
  try {
    return door.full();
  } catch {
    return true;
  }
}

/** The engine's error for it, which has another message or none when memory was too full for that. */
function isOutOfMemory(error: Error): boolean {
  const message = safeText(error, "message", "");
  const isInternal = safeText(error, "name", "") === "InternalError";
  if (isInternal && message === "out of memory") return true;
  return (message === NO_MESSAGE || (isInternal && message === "")) && wasMemoryFull();
}

function safeText(error: Error, key: "name" | "message", otherwise: string): string {
  try {
    const text = String(error[key]);
    return text === "" ? otherwise : text;
  } catch {
    return otherwise;
  }
}

function cut(text: string, limit: number): string {
  const whole = text.toWellFormed();
  return whole.length <= limit ? whole : `${whole.slice(0, limit).toWellFormed()}… [${whole.length - limit} more characters]`;
}
