import { transform } from "sucrase";
import { ContextualKeyword } from "sucrase/dist/parser/tokenizer/keywords.js";
import { parse } from "sucrase/dist/parser/index.js";
import type { Stripped } from "./make-plan.ts";
import type { Piece } from "./plan.ts";
import { SourceError } from "./source-error.ts";

/** Removes types, and compiles the little of TypeScript that is more than types; the error if it is not TypeScript. */
export function stripTypes(code: string): Stripped | SourceError {
  try {
    const namespace = findNamespace(code);
    if (namespace !== undefined) return new SourceError("TypeScript's namespace is not supported here: use a plain object", namespace, true);
    const result = transform(code, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: true,
      filePath: "code",
      sourceMapOptions: { compiledFilename: "code" },
    });
    return { text: result.code, pieces: decodeMappings(result.sourceMap?.mappings ?? "", result.code, code) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The library's parser gives up on some code by a plain error without a place: the other parser's is told then.
    const offset = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
    if (isJsx(code)) return new SourceError("JSX is not supported here: call the functions that make the elements", offset, true);
    return new SourceError(error.message.replace(/^Error transforming code: /, "").replace(/ \(\d+:\d+\)$/, ""), offset);
  }
}

/** The offset of a namespace with a body that is more than a declaration: the library would drop it in silence. */
function findNamespace(code: string): number | undefined {
  const { tokens } = parse(code, false, true, false);
  for (let index = 0; index < tokens.length; index += 1) {
    const keyword = tokens[index]?.contextualKeyword;
    if (keyword !== ContextualKeyword._namespace && keyword !== ContextualKeyword._module) continue;
    if (tokens[index - 1]?.contextualKeyword === ContextualKeyword._declare) continue;
    const at = tokens[index]?.start ?? 0;
    const name = tokens[index + 1];
    const body = tokens[index + 2];
    if (name && body && /^[\w$.]+$/.test(code.slice(name.start, name.end)) && code[body.start] === "{") return at;
  }
  return undefined;
}

/** True for code that parses once JSX is allowed. */
function isJsx(code: string): boolean {
  try {
    parse(code, true, true, false);
    return true;
  } catch {
    return false;
  }
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Source map revision 3, "mappings": lines by ";", segments by ",", each of base 64 VLQ numbers. */
function decodeMappings(mappings: string, text: string, code: string): Piece[] {
  const pieces: Piece[] = [];
  const toLines = lineStarts(text);
  const fromLines = lineStarts(code);
  let fromLine = 0;
  let fromColumn = 0;
  mappings.split(";").forEach((line, lineIndex) => {
    let toColumn = 0;
    for (const segment of line === "" ? [] : line.split(",")) {
      const [column = 0, , lineStep = 0, columnStep = 0] = decodeNumbers(segment);
      toColumn += column;
      fromLine += lineStep;
      fromColumn += columnStep;
      pieces.push([(toLines[lineIndex] ?? 0) + toColumn, (fromLines[fromLine] ?? 0) + fromColumn]);
    }
  });
  return pieces;
}

function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
