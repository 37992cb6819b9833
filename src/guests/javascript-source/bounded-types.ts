import stateModule from "sucrase/dist/parser/tokenizer/state.js";
import type { SourceError } from "./source-error.ts";
import type { Stripped } from "./make-plan.ts";
import { stripTypes } from "./typescript.ts";

/** How often the parser may go back in one code, and over how many characters in all: nested, its tries multiply. */
const MOST_RETURNS = 2_000;
const MOST_CHARACTERS = 100_000;

const { prototype } = stateModule.default;
const { restoreFromSnapshot } = prototype;
let returns = 0;
let characters = 0;

prototype.restoreFromSnapshot = function restoreBounded(snapshot) {
  returns += 1;
  characters += Math.max(0, (this.tokens.at(-1)?.end ?? 0) - snapshot.start);
  if (returns > MOST_RETURNS || characters > MOST_CHARACTERS) throw new RangeError("the code has too much to be tried to be read ahead");
  restoreFromSnapshot.call(this, snapshot);
};

/** As `stripTypes`, but code that has the parser try much is an error. */
export function stripTypesBounded(code: string): Stripped | SourceError {
  returns = 0;
  characters = 0;
  return stripTypes(code);
}
