import type { Node, Program, Statement } from "acorn";
import type { Edits } from "./edits.ts";

/** What the transformed code calls the session by; user code has no reason to. */
export const HOOK = "__belljar";

/**
 * Makes the code store its completion value (ECMA-262, 8.2 and UpdateEmpty): the last statement that
 * has one, and inside it every expression statement that could give it.
 */
export function markCompletion(program: Program, edits: Edits): void {
  const statement = lastValued(program.body);
  if (statement === undefined) return;
  if (statement.type !== "ExpressionStatement") edits.insert(statement.start, `${HOOK}.value = void 0; `);
  mark(statement, edits);
}

/** The last statement of a list whose completion is not empty. */
function lastValued(body: readonly Node[]): Statement | undefined {
  for (let index = body.length - 1; index >= 0; index -= 1) {
    const node = body[index];
    if (node !== undefined && isValued(node)) return node;
  }
  return undefined;
}

function isValued(node: Node): node is Statement {
  const statement = asStatement(node);
  switch (statement?.type) {
    case "BlockStatement":
      return lastValued(statement.body) !== undefined;
    case "LabeledStatement":
      return isValued(statement.body);
    case "ExpressionStatement":
    case "IfStatement":
    case "SwitchStatement":
    case "TryStatement":
    case "WithStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return true;
    default:
      return false;
  }
}

function mark(statement: Statement, edits: Edits): void {
  switch (statement.type) {
    case "ExpressionStatement":
      edits.insert(statement.expression.start, `${HOOK}.value = (`);
      edits.insert(statement.expression.end, ")");
      return;
    case "BlockStatement":
      return markList(statement.body, edits);
    case "IfStatement":
      mark(statement.consequent, edits);
      if (statement.alternate) mark(statement.alternate, edits);
      return;
    case "SwitchStatement":
      for (const branch of statement.cases) markList(branch.consequent, edits);
      return;
    case "TryStatement":
      mark(statement.block, edits);
      if (statement.handler) mark(statement.handler.body, edits);
      return;
    case "LabeledStatement":
    case "WithStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return mark(statement.body, edits);
    default:
      return;
  }
}

function markList(body: readonly Statement[], edits: Edits): void {
  const statement = lastValued(body);
  if (statement !== undefined) mark(statement, edits);
}

function asStatement(node: Node): Statement | undefined {
  const isStatement = (candidate: Node): candidate is Statement => candidate.type.endsWith("Statement");
  return isStatement(node) ? node : undefined;
}
