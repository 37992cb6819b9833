import { offsetOf, positionOf } from "../../../src/guests/javascript-source/edits.ts";
import type { Compiled } from "../../../src/guests/javascript-source/plan.ts";

/** A place in code as a user gave it, line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  /** `<code>` for that of a turn, else the file that it is in. */
  readonly name: string;
}

/** A place in code that runs, also as it runs there. */
export interface RunPlace extends Place {
  /** Offset in the unit's code as it runs. */
  readonly offset: number;
  readonly compiled: Compiled;
}

/** What a stack says of the user's code. */
export interface Frames {
  readonly lines: string[];
  /** The innermost place. */
  readonly first: RunPlace | undefined;
  /** The function of the language that the innermost place had called, or the empty string. */
  readonly callee: string;
}

interface Unit {
  readonly name: string;
  readonly code: string;
  readonly compiled: Compiled;
  readonly firstLine: number;
  readonly lineCount: number;
}

/** Lines below this belong to code that the user evaluated by `eval` or `new Function`. */
const FIRST_LINE = 1_000;
/** The name that the engine gives to evaluated code. */
const EVALUATED = "<input>";
const units: Unit[] = [];

/** The line at which the next unit's text is to begin, so that every unit has lines of its own. */
export function nextLine(): number {
  const last = units.at(-1);
  return last === undefined ? FIRST_LINE : last.firstLine + last.lineCount + 1;
}

/** The name of a turn's code in a stack. */
const CODE = "<code>";

/** Remembers a unit that is about to run: a turn's code, or the file of that name. */
export function register(code: string, compiled: Compiled, name = CODE): void {
  const lineCount = compiled.body.split("\n").length;
  units.push({ name, code, compiled, firstLine: compiled.headLines + 1, lineCount });
}

function placeOf(line: number, column: number): RunPlace | undefined {
  const unit = units.findLast((candidate) => candidate.firstLine <= line);
  if (unit === undefined || line >= unit.firstLine + unit.lineCount) return undefined;
  const offset = offsetOf(unit.compiled.body, line - unit.firstLine + 1, column);
  return { ...positionOf(unit.code, unit.compiled.origin(offset)), code: unit.code, name: unit.name, offset, compiled: unit.compiled };
}

/** The place of an offset in the code, as it was given, of the unit whose text begins after `lineOffset` lines. */
export function placeInUnit(lineOffset: number, offset: number): Place | undefined {
  const unit = units.findLast((candidate) => candidate.compiled.headLines === lineOffset + 1);
  return unit === undefined ? undefined : { ...positionOf(unit.code, offset), code: unit.code, name: unit.name };
}

const FRAME = /^ {4}at (?:(.*) \()?([^()]*?)(?::(\d+):(\d+))?\)?$/;

/**
 * A stack as the engine made it, with the user's frames alone, at their places in the code as it was
 * given; like V8's, without the constructor of the error itself.
 */
export function userFrames(stack: string, error?: Error): Frames {
  const lines: string[] = [];
  let first: RunPlace | undefined;
  let callee = "";
  for (const raw of stack.split("\n")) {
    const [, name = "", file = "", line, column] = FRAME.exec(raw) ?? [];
    if (file === "native" && first === undefined) callee = name;
    if (file !== EVALUATED) continue;
    if (lines.length === 0 && error !== undefined && name !== "" && name === constructorName(error)) continue;
    const place = placeOf(Number(line), Number(column));
    if (place === undefined) continue;
    const where = `${place.name}:${place.line}:${place.column}`;
    if (place.name === CODE) first ??= place;
    lines.push(name === "" || name === "<anonymous>" || name === "<eval>" ? `    at ${where}` : `    at ${name} (${where})`);
  }
  return { lines, first, callee };
}

function constructorName(error: Error): string {
  try {
    return String(error.constructor.name);
  } catch {
    return "";
  }
}

const nativeStack = Object.getOwnPropertyDescriptor(Error.prototype, "stack");

const keptStacks = new WeakMap<Error, string>();

/** Gives an error whose stack is no error's to the engine, as a DOMException's, one in the form of all others. */
export function adoptStack(error: Error, raw: string): void {
  keptStacks.set(error, raw);
  const text = [headline(error), ...userFrames(raw, error).lines].join("\n");
  Object.defineProperty(error, "stack", { value: text, writable: true, configurable: true, enumerable: false });
}

/** The stack as the engine made it; the empty string when there is none. */
export function rawStack(error: Error): string {
  const kept = keptStacks.get(error);
  if (kept !== undefined) return kept;
  const stack: unknown = nativeStack?.get ? Reflect.apply(nativeStack.get, error, []) : error.stack;
  return typeof stack === "string" ? stack : "";
}

/** Gives `error.stack` the form that V8 gives it: the error in words, then the frames. */
export function installStack(): void {
  const set = nativeStack?.set;
  if (nativeStack?.get === undefined || set === undefined) return;
  Object.defineProperty(Error.prototype, "stack", {
    configurable: true,
    get(this: unknown) {
      if (!(this instanceof Error)) return undefined;
      const raw = rawStack(this);
      if (raw !== "" && !raw.startsWith("    at ")) return raw;
      return [headline(this), ...userFrames(raw, this).lines].join("\n");
    },
    set(this: unknown, value: unknown) {
      Reflect.apply(set, this, [value]);
    },
  });
}

/** `name: message` as Error.prototype.toString gives it, whatever the error's properties do. */
export function headline(error: Error): string {
  try {
    return String(Error.prototype.toString.call(error));
  } catch {
    return "Error";
  }
}

/** The offset of a place in its code. */
export function offsetOfPlace(place: Place): number {
  return offsetOf(place.code, place.line, place.column);
}
