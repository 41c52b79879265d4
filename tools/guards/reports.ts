/**
 * Reports of the oracles and rules of their reference ledger, found in a source text. A report is a place that says what
 * is wrong and does nothing else:
 *
 * - a call of `report`, `reportLate` or `say`, and one that pushes a text, as statements;
 * - a text, or a record with `words` or a `code`, that a function returns which else returns `undefined`;
 * - a text in a list that a function returns, and a pair of a condition and a text.
 *
 * Off, the oracle says nothing there.
 */
import ts from "typescript";

export interface Report {
  readonly node: ts.Node;
  /** Its text, as written. */
  readonly says: string;
  /** Text before and after the node that switches it off; `call`: the start of a call that is true if it is on. */
  readonly around: (call: string) => readonly [before: string, after: string];
}

/** Calls that report. */
const REPORTS = /^(?:report|reportLate|say)$/;
/** Return types of what is wrong, or nothing. */
const MAYBE = /\bundefined\b/;

/** Returns the reports of one node, without those inside it. */
export function reportsAt(node: ts.Node): readonly Report[] {
  if (ts.isExpressionStatement(node) && isReport(node.expression)) return [statement(node, node.expression)];
  const answer = answerOf(node);
  if (answer !== undefined) return answersIn(answer);
  if (ts.isCallExpression(node) && node.expression.getText() === "reasons") return node.arguments.flatMap(pairsIn);
  return [];
}

function isReport(call: ts.Expression): call is ts.CallExpression {
  if (!ts.isCallExpression(call)) return false;
  const { expression: callee, arguments: passed } = call;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  return REPORTS.test(name) || (name === "push" && passed.some(isText));
}

function statement(node: ts.ExpressionStatement, { arguments: passed }: ts.CallExpression): Report {
  return {
    node,
    says: passed[0]?.getText() ?? "",
    around: (call) => [`{ if (${call}true)) `, " }"],
  };
}

/** Returns what a function returns here, if it can be what is wrong. */
function answerOf(node: ts.Node): ts.Expression | undefined {
  const answer = ts.isReturnStatement(node)
    ? node.expression
    : ts.isArrowFunction(node) && !ts.isBlock(node.body)
      ? node.body
      : undefined;
  const type = answer && enclosingReturnType(ts.isArrowFunction(node) ? node : node.parent);
  return type !== undefined && (MAYBE.test(type) || LISTS.test(type)) ? answer : undefined;
}

/** Return types of lists of what is wrong. */
const LISTS = /^(?:readonly string\[\]|readonly Refusal\w*\[\]|Refusals)$/;

function enclosingReturnType(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if (ts.isFunctionLike(at)) return at.type?.getText();
  return undefined;
}

function answersIn(answer: ts.Expression): readonly Report[] {
  if (ts.isParenthesizedExpression(answer)) return answersIn(answer.expression);
  if (ts.isConditionalExpression(answer)) return [...answersIn(answer.whenTrue), ...answersIn(answer.whenFalse)];
  if (ts.isBinaryExpression(answer) && /^(?:\?\?|\|\||&&)$/.test(answer.operatorToken.getText()))
    return [...answersIn(answer.left), ...answersIn(answer.right)];
  if (ts.isArrayLiteralExpression(answer)) return answer.elements.filter(isText).map(element);
  if (!isText(answer) && !isRecord(answer)) return [];
  return [
    {
      node: answer,
      says: answer.getText(),
      around: (call) => [`(${call}true) ? (`, ") : undefined)"],
    },
  ];
}

function element(node: ts.Expression): Report {
  return { node, says: node.getText(), around: (call) => [`...(${call}true) ? [`, "] : [])"] };
}

function pairsIn(list: ts.Expression): readonly Report[] {
  if (!ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((pair) => {
    if (!ts.isArrayLiteralExpression(pair)) return [];
    const [condition, text] = pair.elements;
    if (condition === undefined || text === undefined || !isText(text)) return [];
    const says = `${text.getText()} if ${condition.getText()}`;
    return [{ node: condition, says, around: (call) => [call, ")"] as const }];
  });
}

function isRecord(node: ts.Expression): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some((property) => /^(?:words|code|detail)$/.test(property.name?.getText() ?? ""))
  );
}

function isText(node: ts.Expression): boolean {
  if (ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return true;
  if (ts.isConditionalExpression(node)) return isText(node.whenTrue) && isText(node.whenFalse);
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && isText(node.left);
}
