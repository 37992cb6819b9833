import { parse, type Node, type Program, type Token } from "acorn";
import { markCompletion } from "./completion.ts";
import { withoutFences, withoutProse } from "./markdown.ts";
import { createMarks } from "./marks.ts";
import { markModuleSyntax } from "./modules.ts";
import { isNode } from "./nodes.ts";
import { markPlaces } from "./places.ts";
import { inParentheses, originInParentheses, originOf, type Piece, type Plan } from "./plan.ts";
import { markReturns } from "./returns.ts";
import { SourceError } from "./source-error.ts";

/** JavaScript made of TypeScript; the pieces in the order of the text. */
export interface Stripped {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** What the making of a plan is done with. */
export interface Tools {
  /** Removes types, and compiles the little of TypeScript that is more than types; the error if it is not TypeScript. */
  readonly stripTypes: (code: string) => Stripped | SourceError;
  /** Makes what is told of each token of one reading; what that throws ends the making. */
  readonly guard?: () => (token: Token) => void;
}

interface Parsed {
  readonly program: Program;
  readonly form: Plan["form"];
  readonly text: string;
  origin(offset: number): number;
}

/**
 * What is to be done to a code, which is parsed for that and never run.
 * @throws SourceError when it is neither JavaScript nor TypeScript; RangeError when it nests too deep to be read.
 */
export function makePlan(code: string, tools: Tools): Plan {
  const { program, text, form, origin, fenced } = parsePasted(code, tools);
  const marks = createMarks();
  if (text.startsWith("#!")) marks.replace(0, 2, "//");
  markModuleSyntax(program, text, marks);
  markReturns(program, marks);
  markCompletion(program, marks);
  markPlaces({ program, origin }, marks);
  return { fenced, form, edits: marks.edits, strict: program.body.some((node) => "directive" in node && node.directive === "use strict") };
}

/** Code as it was pasted: when it does not parse with its Markdown around it, or as what nobody means, without. */
function parsePasted(code: string, tools: Tools): Parsed & Pick<Plan, "fenced"> {
  const bare = withoutFences(code);
  let unfit: SourceError | undefined;
  try {
    const parsed = parseAny(bare, tools);
    if (!bare.includes("```") || !callsTemplate(parsed.program)) return { ...parsed, fenced: false };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    unfit = error;
  }
  const fenced = withoutProse(bare);
  if (fenced !== undefined) return { ...parseAny(fenced, tools), fenced: true };
  if (unfit !== undefined) throw unfit;
  return { ...parseAny(bare, tools), fenced: false };
}

/** True when a template is the tag of another, as three backticks in a row read: no template can be called. */
function callsTemplate(node: Node): boolean {
  if (node.type === "TaggedTemplateExpression" && "tag" in node && isNode(node.tag) && node.tag.type === "TemplateLiteral") return true;
  return Object.values(node).some((child) => (Array.isArray(child) ? child.some((item) => isNode(item) && callsTemplate(item)) : isNode(child) && callsTemplate(child)));
}

function parseAny(code: string, tools: Tools): Parsed {
  const plain = tryParse(code, tools);
  if (!(plain instanceof SourceError)) {
    const only = plain.body.length === 1 ? plain.body[0] : undefined;
    if (only?.type !== "BlockStatement") return asItStands(plain, code);
    return parseObject(code, tools) ?? asItStands(plain, code);
  }
  const object = parseObject(code, tools);
  if (object !== undefined) return object;
  const typed = tools.stripTypes(code);
  if (typed instanceof SourceError) throw typed.isSure || typed.offset > plain.offset ? typed : plain;
  const origin = (offset: number): number => originOf(typed.pieces, offset);
  const program = tryParse(typed.text, tools);
  if (!(program instanceof SourceError)) return { program, text: typed.text, form: { text: typed.text, pieces: typed.pieces }, origin };
  const offset = origin(program.offset);
  throw program.isSure || offset > plain.offset ? new SourceError(program.message, offset) : plain;
}

function asItStands(program: Program, text: string): Parsed {
  return { program, text, form: "plain", origin: (offset) => offset };
}

/** Code that is one object literal, as a reader would take it and Node's REPL does, not a block. */
function parseObject(code: string, tools: Tools): Parsed | undefined {
  if (code.trimStart()[0] !== "{") return undefined;
  const text = inParentheses(code);
  const program = tryParse(text, tools);
  const only = program instanceof SourceError || program.body.length !== 1 ? undefined : program.body[0];
  if (program instanceof SourceError || only?.type !== "ExpressionStatement") return undefined;
  if (only.expression.type !== "ObjectExpression") return undefined;
  return { program, text, form: "object", origin: (offset) => originInParentheses(code, offset) };
}

function tryParse(text: string, { guard }: Tools): Program | SourceError {
  try {
    return parse(text, {
      ecmaVersion: "latest",
      sourceType: "script",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowHashBang: true,
      ...(guard && { onToken: guard() }),
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
