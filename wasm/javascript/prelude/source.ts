import { parse, type Node, type Program } from "acorn";
import { HOOK, markCompletion } from "./completion.ts";
import { createEdits, positionOf, type Edits } from "./edits.ts";
import { markModuleSyntax } from "./modules.ts";
import { withoutFences, withoutProse } from "./markdown.ts";
import { isNode } from "./nodes.ts";
import { markPlaces } from "./places.ts";
import { stripTypes } from "./typescript.ts";

/** Code made ready to be evaluated by a scope's own `eval`. */
export interface Compiled {
  /** An expression whose value is an async function that runs the code. */
  readonly text: string;
  /** Lines that `text` has before the first of the code. */
  readonly headLines: number;
  /** From an offset in the code as it runs (after the head) to one in the code as it was given. */
  origin(offset: number): number;
  /** The code as it runs, without head and tail. */
  readonly body: string;
}

/** A syntax error with its place in the code as it was given (line and column from 1). */
export class SourceError extends SyntaxError {
  readonly offset: number;
  /** True when the message tells of something that is not supported, and so says more than any other. */
  readonly isSure: boolean;

  constructor(message: string, offset: number, isSure = false) {
    super(message);
    this.offset = offset;
    this.isSure = isSure;
  }
}

interface Parsed {
  readonly program: Program;
  readonly text: string;
  origin(offset: number): number;
}

/** @throws SourceError when the code is neither JavaScript nor TypeScript. */
export function compile(code: string, lineOffset: number): Compiled {
  const parsed = parsePasted(code);
  const edits = createEdits(parsed.text);
  if (parsed.text.startsWith("#!")) edits.replace(0, 2, "//");
  markModuleSyntax(parsed.program, parsed.text, edits);
  markReturns(parsed.program, edits);
  markCompletion(parsed.program, edits);
  markPlaces(parsed, lineOffset, edits);
  const edited = edits.apply();
  const strict = parsed.program.body.some((node) => "directive" in node && node.directive === "use strict");
  const head = `(async () => {${strict ? '"use strict";' : ""} ${HOOK}.keep((${HOOK}_source) => eval(${HOOK}_source));`;
  return {
    text: `${"\n".repeat(lineOffset)}${head}\n${edited.text}\n})`,
    headLines: lineOffset + 1,
    body: edited.text,
    origin: (offset) => parsed.origin(edited.origin(offset)),
  };
}

/** Code as it was pasted: when it does not parse with its Markdown around it, or as what nobody means, without. */
function parsePasted(code: string): Parsed {
  const bare = withoutFences(code);
  let unfit: SourceError | undefined;
  try {
    const parsed = parseAny(bare);
    if (!bare.includes("```") || !callsTemplate(parsed.program)) return parsed;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    unfit = error;
  }
  const fenced = withoutProse(bare);
  if (fenced !== undefined) return parseAny(fenced);
  if (unfit !== undefined) throw unfit;
  return parseAny(bare);
}

/** True when a template is the tag of another, as three backticks in a row read: no template can be called. */
function callsTemplate(node: Node): boolean {
  if (node.type === "TaggedTemplateExpression" && "tag" in node && isNode(node.tag) && node.tag.type === "TemplateLiteral") return true;
  return Object.values(node).some((child) => (Array.isArray(child) ? child.some((item) => isNode(item) && callsTemplate(item)) : isNode(child) && callsTemplate(child)));
}

function parseAny(code: string): Parsed {
  const plain = tryParse(code);
  if (!(plain instanceof SourceError)) {
    const only = plain.body.length === 1 ? plain.body[0] : undefined;
    if (only?.type !== "BlockStatement") return { program: plain, text: code, origin: (offset) => offset };
    return parseObject(code) ?? { program: plain, text: code, origin: (offset) => offset };
  }
  const object = parseObject(code);
  if (object !== undefined) return object;
  const typed = stripTypes(code);
  if (typed instanceof SourceError) throw typed.isSure || typed.offset > plain.offset ? typed : plain;
  const program = tryParse(typed.text);
  if (!(program instanceof SourceError)) return { program, text: typed.text, origin: typed.origin };
  const offset = typed.origin(program.offset);
  throw program.isSure || offset > plain.offset ? new SourceError(program.message, offset) : plain;
}

/** Code that is one object literal, as a reader would take it and Node's REPL does, not a block. */
function parseObject(code: string): Parsed | undefined {
  if (code.trimStart()[0] !== "{") return undefined;
  const program = tryParse(`(${code}\n)`);
  const only = program instanceof SourceError || program.body.length !== 1 ? undefined : program.body[0];
  if (program instanceof SourceError || only?.type !== "ExpressionStatement") return undefined;
  if (only.expression.type !== "ObjectExpression") return undefined;
  return { program, text: `(${code}\n)`, origin: (offset) => Math.min(Math.max(offset - 1, 0), code.length) };
}

function tryParse(text: string): Program | SourceError {
  try {
    return parse(text, {
      ecmaVersion: "latest",
      sourceType: "script",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowHashBang: true,
    });
  } catch (error) {
    if (error instanceof SyntaxError && "pos" in error && typeof error.pos === "number") {
      if (error.message.startsWith("Not enough stack space")) throw new RangeError("Maximum call stack size exceeded");
      if (text[error.pos] === "@") return new SourceError("Decorators are not supported here: call the function on the class yourself", error.pos, true);
      return new SourceError(plainMessage(error.message, text, error.pos), error.pos);
    }
    throw error;
  }
}

/** The parser's message without its own place, with the token that it could not take. */
function plainMessage(message: string, text: string, at: number): string {
  const plain = message.replace(/ \(\d+:\d+\)$/, "");
  if (plain !== "Unexpected token") return plain;
  if (at >= text.trimEnd().length) return "Unexpected end of input";
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|.)/u.exec(text.slice(at, at + 80))?.[0];
  return token === undefined ? plain : `Unexpected token '${token}'`;
}

/** A top-level `return` gives the turn's value. */
function markReturns(node: Node, edits: Edits): void {
  if (node.type === "ReturnStatement") {
    const argument = "argument" in node && isNode(node.argument) ? node.argument : undefined;
    const at = node.start + "return".length;
    edits.insert(argument?.start ?? at, argument ? `(${HOOK}.value = (` : ` ${HOOK}.value = void 0`);
    if (argument) edits.insert(argument.end, "))");
    return;
  }
  if (/Function|Class|Expression/.test(node.type)) return;
  for (const child of Object.values(node)) {
    if (isNode(child)) markReturns(child, edits);
    else if (Array.isArray(child)) for (const item of child) if (isNode(item)) markReturns(item, edits);
  }
}

/** The source line of an offset with a caret under it, as Node shows a syntax error. */
export function excerpt(code: string, offset: number): string {
  const { line, column } = positionOf(code, offset);
  const text = code.split("\n")[line - 1]?.replace(/\r$/, "") ?? "";
  const from = Math.max(0, column - 120);
  const shown = text.slice(from, from + 160);
  return `<code>:${line}\n${shown}\n${" ".repeat(Math.max(0, column - 1 - from))}^`;
}
