/**
 * Guards of a source text. A guard is a place where the program refuses and does nothing else:
 *
 * - an `if` whose branch is a refusal: `continue`, `break`, `throw`, or a `return` of nothing, of `undefined`, `false` or
 *   `true`, of a text, a record with a `code` or `reason`, or of what is named as a fault, a refusal or a wait. Before it
 *   the branch may only report, halt, or count coverage;
 * - `return C ? undefined : fault`, either way round and with `ACCEPT` as well, where the other arm is such a fault.
 *
 * Off, the condition counts as not met: the branch is not taken, the answer is that there is no fault. No guards are
 * shortcuts that return a result, assertions, which say that the program is wrong, and conjunctions that are returned.
 * In the oracles each report takes the place of a guard (`reports.ts`).
 */
import ts from "typescript";
import { type Report, reportsAt } from "./reports.ts";

export interface Guard {
  readonly file: string;
  /** Name of the innermost named function around it; empty outside of all. */
  readonly within: string;
  /** Its condition on one line, or what a report says; a second one of one text in one function ends with `(2)`. */
  readonly condition: string;
  /** The branch, on one line; none of a report. */
  readonly branch: string | undefined;
  readonly line: number;
}

export interface InstrumentedText {
  readonly guards: readonly Guard[];
  /** The text with a call around each guard, from number `first` on, and one in each loop. */
  readonly text: string;
}

interface Edit {
  readonly at: number;
  readonly text: string;
}

/** Collections and encodings, which know no rule. */
const BASE = /core\/base\//;
/** Oracles, whose guards are excuses: their reports are switched off. */
const ORACLES = /src\/invariants\//;
/** Module of the caches by value: what one run learned there would hide a guard from the next, so each run has a new one. */
const CACHE = /core\/base\/memo-table\.ts$/;
const CACHE_OF_A_RUN = `
export class MemoTable<K, V extends {}> {
  readonly #limit: number | undefined;
  #run = __run();
  #table: Table<K, V>;
  constructor(limit?: number) { this.#limit = limit; this.#table = new Table(limit); }
  #current(): Table<K, V> {
    if (this.#run !== __run()) { this.#run = __run(); this.#table = new Table(this.#limit); }
    return this.#table;
  }
  get size(): number { return this.#current().size; }
  get(key: K): V | undefined { return this.#current().get(key); }
  set(key: K, value: V): void { this.#current().set(key, value); }
  getOrCompute(key: K, compute: (key: K) => V): V { return this.#current().getOrCompute(key, compute); }
}
`;

/** Finds the guards of a file and instruments its text; `switchPath` is the module of the switch. */
export function instrument(file: string, source: string, switchPath: string, first: number): InstrumentedText {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const isOracle = ORACLES.test(file);
  const edits: Edit[] = [];
  const guards: Guard[] = [];
  const names = new Map<string, number>();
  const named = (node: ts.Node, says: string, branch: string | undefined): number => {
    const within = functionName(node);
    const plain = oneLine(says);
    const times = (names.get(`${within} ${plain}`) ?? 0) + 1;
    names.set(`${within} ${plain}`, times);
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const text = times === 1 ? plain : `${plain} (${times})`;
    guards.push({ file, within, condition: text, branch, line });
    return first + guards.length - 1;
  };
  const addReport = ({ node, says, around }: Report): void => {
    const number = named(node, says, undefined);
    const [before, after] = around(`__guard(${number}, `);
    edits.push({ at: node.getStart(), text: before }, { at: node.getEnd(), text: after });
  };
  const add = (node: ts.Node, condition: ts.Expression, branch: ts.Node, refusesIfTrue: boolean): void => {
    if (BASE.test(file) || isOracle) return;
    const number = named(node, condition.getText(), oneLine(branch.getText()));
    const not = refusesIfTrue ? "" : "!";
    edits.push({ at: condition.getStart(), text: `${not}__guard(${number}, ${not}(` });
    edits.push({ at: condition.getEnd(), text: "))" });
  };
  const visit = (node: ts.Node): void => {
    if (isOracle) for (const report of reportsAt(node)) addReport(report);
    if (ts.isIfStatement(node) && refuses(node.thenStatement)) add(node, node.expression, node.thenStatement, true);
    if (ts.isConditionalExpression(node) && isAnswer(node)) {
      if (isNoFault(node.whenFalse) && isFault(node.whenTrue)) add(node, node.condition, node.whenTrue, true);
      if (isNoFault(node.whenTrue) && isFault(node.whenFalse)) add(node, node.condition, node.whenFalse, false);
    }
    if (ts.isIterationStatement(node, false)) {
      edits.push({ at: node.statement.getStart(), text: "{ __turn(); " });
      edits.push({ at: node.statement.getEnd(), text: " }" });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const head = `import { guard as __guard, run as __run, turn as __turn } from ${JSON.stringify(switchPath)}; `;
  const text = head + withEdits(source, edits);
  return { guards, text: CACHE.test(file) ? withCacheOfRun(text) : text };
}

function withCacheOfRun(text: string): string {
  return text.replace("export class MemoTable<", "class Table<") + CACHE_OF_A_RUN;
}

/** The identity of a guard, which outlives edits elsewhere. */
export function guardKey({ file, within, condition }: Pick<Guard, "file" | "within" | "condition">): string {
  return `${file} ${within}: ${condition}`;
}

/** Names of functions that return the reason of a refusal, and of what holds one. */
const REFUSING = /fault|refus|reason|verdict|missing|invalid|impossible|broken|unsigned|wait|misplaced|unproved/i;
/** Functions that only tell that something is refused. */
const TELLING = /^(?:report|coverage|halt|stall)$/;

function refuses(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    const last = statement.statements.at(-1);
    return last !== undefined && refuses(last) && statement.statements.slice(0, -1).every(isReporting);
  }
  if (ts.isContinueStatement(statement) || ts.isBreakStatement(statement) || ts.isThrowStatement(statement))
    return true;
  if (!ts.isReturnStatement(statement)) return false;
  const answer = statement.expression;
  return answer === undefined || /^(?:undefined|false|true)$/.test(answer.getText()) || isFault(answer);
}

function isReporting(statement: ts.Statement): boolean {
  if (ts.isVariableStatement(statement)) return true;
  if (ts.isIfStatement(statement)) return statement.elseStatement === undefined && isReporting(statement.thenStatement);
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false;
  return TELLING.test(statement.expression.expression.getText());
}

function isAnswer({ parent }: ts.ConditionalExpression): boolean {
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
}

function isNoFault(arm: ts.Expression): boolean {
  return ts.isIdentifier(arm) && (arm.text === "undefined" || arm.text === "ACCEPT");
}

function isFault(arm: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(arm))
    return arm.properties.some((property) => /^(?:code|reason)$/.test(property.name?.getText() ?? ""));
  if (ts.isStringLiteral(arm) || ts.isTemplateExpression(arm) || ts.isNoSubstitutionTemplateLiteral(arm)) return true;
  const named = ts.isCallExpression(arm) ? arm.expression : arm;
  const isName = ts.isIdentifier(named) || ts.isPropertyAccessExpression(named);
  return isName && REFUSING.test(named.getText());
}

function functionName(node: ts.Node): string {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) return at.name?.getText() ?? "";
    if (ts.isConstructorDeclaration(at)) return "constructor";
    if (!ts.isVariableDeclaration(at) && !ts.isPropertyAssignment(at)) continue;
    if (at.initializer !== undefined && ts.isFunctionLike(at.initializer)) return at.name.getText();
  }
  return "";
}

function withEdits(source: string, edits: readonly Edit[]): string {
  let text = "";
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(done, edit.at) + edit.text;
    done = edit.at;
  }
  return text + source.slice(done);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
