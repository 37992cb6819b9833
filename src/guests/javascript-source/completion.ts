import type { Node, Program, Statement } from "acorn";
import type { Marks } from "./marks.ts";

/** What the transformed code calls the session by; user code has no reason to. */
export const HOOK = "__belljar";

/**
 * Makes the code store its completion value (ECMA-262, 8.2 and UpdateEmpty): the last statement that
 * has one, and inside it every expression statement that could give it.
 */
export function markCompletion(program: Program, marks: Marks): void {
  const statement = lastValued(program.body);
  if (statement === undefined) return;
  if (statement.type !== "ExpressionStatement") marks.insert(statement.start, `${HOOK}.value = void 0; `);
  mark(statement, marks);
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

function mark(statement: Statement, marks: Marks): void {
  switch (statement.type) {
    case "ExpressionStatement":
      marks.insert(statement.expression.start, `${HOOK}.value = (`);
      marks.insert(statement.expression.end, ")");
      return;
    case "BlockStatement":
      return markList(statement.body, marks);
    case "IfStatement":
      mark(statement.consequent, marks);
      if (statement.alternate) mark(statement.alternate, marks);
      return;
    case "SwitchStatement":
      for (const branch of statement.cases) markList(branch.consequent, marks);
      return;
    case "TryStatement":
      mark(statement.block, marks);
      if (statement.handler) mark(statement.handler.body, marks);
      return;
    case "LabeledStatement":
    case "WithStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return mark(statement.body, marks);
    default:
      return;
  }
}

function markList(body: readonly Statement[], marks: Marks): void {
  const statement = lastValued(body);
  if (statement !== undefined) mark(statement, marks);
}

function asStatement(node: Node): Statement | undefined {
  const isStatement = (candidate: Node): candidate is Statement => candidate.type.endsWith("Statement");
  return isStatement(node) ? node : undefined;
}
