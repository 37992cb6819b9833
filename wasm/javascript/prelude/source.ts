import { positionOf } from "../../../src/guests/javascript-source/edits.ts";
import { makePlan } from "../../../src/guests/javascript-source/make-plan.ts";
import { carryOut, type Compiled, type Plan } from "../../../src/guests/javascript-source/plan.ts";
import { stripTypes } from "../../../src/guests/javascript-source/typescript.ts";
import { parse } from "./intrinsics.ts";

const TOOLS = { stripTypes };

/**
 * Code made ready to run after `lineOffset` lines, by the host's plan, or one made here where that is the empty string.
 * @throws SourceError when the code is neither JavaScript nor TypeScript.
 */
export function compile(code: string, lineOffset: number, plan = ""): Compiled {
  const made: Plan = plan === "" ? makePlan(code, TOOLS) : parse(plan);
  return carryOut(made, code, lineOffset);
}

/** The source line of an offset with a caret under it, as Node shows a syntax error. */
export function excerpt(code: string, offset: number): string {
  const { line, column } = positionOf(code, offset);
  const text = code.split("\n")[line - 1]?.replace(/\r$/, "") ?? "";
  const from = Math.max(0, column - 120);
  const shown = text.slice(from, from + 160);
  return `<code>:${line}\n${shown}\n${" ".repeat(Math.max(0, column - 1 - from))}^`;
}
