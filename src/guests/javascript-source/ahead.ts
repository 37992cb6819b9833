import { type Token, tokTypes } from "acorn";
import { makePlan, type Tools } from "./make-plan.ts";
import { SourceError } from "./source-error.ts";

/** Characters of a code that is read ahead of its guest; what has types takes several readings. */
const LONGEST = 8_192;
const LONGEST_TYPED = 4_096;
/** Brackets that may be open in it at once, and loops that it may have, since they nest without any. */
const DEEPEST = 100;
const MOST_LOOPS = 100;
/** Each named group of a regular expression is compared with all before it, each by all groups around both. */
const NAMED_GROUP = /\(\?<[^=!]/;

const OPENING = new Set([tokTypes.parenL, tokTypes.bracketL, tokTypes.braceL, tokTypes.dollarBraceL]);
const CLOSING = new Set([tokTypes.parenR, tokTypes.bracketR, tokTypes.braceR]);

let stripTypes: Tools["stripTypes"] | undefined;

/**
 * The plan for a code as JSON, or the empty string for one that is left to the guest, which bears its cost and tells
 * what is wrong with it. The code is hostile: it is read, never run, and whether it is left depends on nothing but the
 * code, since the fuel of the turn does.
 */
export async function planAhead(code: string): Promise<string> {
  if (code.length > LONGEST || NAMED_GROUP.test(code) || !code.isWellFormed()) return "";
  let isTyped = false;
  const untyped = tryPlan(code, {
    guard,
    stripTypes: (text) => {
      if (text.length > LONGEST_TYPED) return new SourceError("too long to be read ahead", 0);
      isTyped = stripTypes === undefined;
      return stripTypes?.(text) ?? new SourceError("what reads types is not loaded yet", 0);
    },
  });
  if (!isTyped) return untyped;
  const { stripTypesBounded } = await import("./bounded-types.ts");
  stripTypes = stripTypesBounded;
  return tryPlan(code, { guard, stripTypes });
}

function tryPlan(code: string, tools: Tools): string {
  try {
    return JSON.stringify(makePlan(code, tools));
  } catch {
    return "";
  }
}

/** Scopes and much else are compared with those around them. */
function guard(): (token: Token) => void {
  let depth = 0;
  let loops = 0;
  return ({ type }) => {
    if (OPENING.has(type)) depth += 1;
    else if (CLOSING.has(type)) depth -= 1;
    if (type === tokTypes._for) loops += 1;
    if (depth > DEEPEST || loops > MOST_LOOPS) throw new RangeError("the code nests too deep to be read ahead");
  };
}
