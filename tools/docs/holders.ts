/**
 * Tests and scenario files that say which statements of the user's document they hold.
 *
 * A test says it in a comment of its own line directly above it, `// holds: 17, 18`; above a `describe` it means all tests
 * inside, above a row of a table the test of that row. A scenario file says it in a line `# holds: 17`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { findScenarios } from "../../src/scenario/files.ts";

/** A test or a scenario, and the numbers of the statements that it holds. */
export interface Holder {
  /** From the root of the repository. */
  readonly path: string;
  /** Title of a test with those of its groups, or name of a scenario. */
  readonly title: string;
  readonly numbers: readonly number[];
}

const TEST_TAG = /^[ \t]*\/\/ holds:(.*)$/gm;
const SCENARIO_TAG = /^[ \t]*# holds:(.*)$/gm;
const TEST = /^(?:test|it|describe)\b/;
/** Places in a title that a test fills in for each row. */
const PLACE = /%[sijdo]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/g;
const DISABLED = /^\w+(?:\.\w+)*\.(?:skip|todo|fails)\b/;

/** Returns all holders below the root, by path. @throws Error for a tag that names no numbers or stands above no test */
export function holdersBelow(root: string): readonly Holder[] {
  const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .sort()
    .flatMap((path) => holdersInTest(path, readFileSync(join(root, path), "utf8")));
  const scenarios = findScenarios([join(root, "scenarios")]).files.flatMap(({ path }) =>
    holdersInScenario(path.slice(root.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")),
  );
  return [...tests, ...scenarios];
}

/** Returns the holder that a scenario file is, if it has a tag. */
export function holdersInScenario(path: string, text: string): readonly Holder[] {
  const tags = [...text.matchAll(SCENARIO_TAG)];
  if (tags.length === 0) return [];
  const { name, bug } = parse(text) as { readonly name?: string; readonly bug?: string };
  if (bug !== undefined) throw new Error(`${path}: a run of a known-bad variant holds no statement`);
  const numbers = tags.flatMap(([, words = ""]) => numbersOf(path, words));
  return [{ path, title: name ?? "", numbers }];
}

/** Returns the holders in the source of a test file. */
export function holdersInTest(path: string, text: string): readonly Holder[] {
  const tags = [...text.matchAll(TEST_TAG)];
  if (tags.length === 0) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return tags.map((tag) => {
    const numbers = numbersOf(path, tag[1] ?? "");
    const end = tag.index + tag[0].length;
    const next = /^\r?\n[ \t]*(?=\S)/.exec(text.slice(end));
    const nodes = next === null ? [] : nodesFrom(source, end + next[0].length);
    const [first] = nodes;
    const isStatement = first !== undefined && ts.isExpressionStatement(first);
    const title = (isStatement ? titleOf(first.expression) : undefined) ?? titleOfRow(nodes);
    if (title === undefined) {
      const { line } = source.getLineAndCharacterOfPosition(end);
      throw new Error(
        `${path}:${line + 1}: the tag ${numbers.join(", ")} stands above no test, group or row of a table`,
      );
    }
    return { path, title: title.replace(PLACE, "…"), numbers };
  });
}

function numbersOf(path: string, words: string): readonly number[] {
  if (!/^ \d+(, \d+)*$/.test(words)) throw new Error(`${path}: holds: expected numbers such as 17, 18, got${words}`);
  return words.split(",").map(Number);
}

/** Returns the nodes that begin at a position, the outermost first. */
function nodesFrom(source: ts.SourceFile, at: number): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (at < node.pos || at >= node.end) return;
    if (node.kind !== ts.SyntaxKind.SourceFile && node.getStart(source) === at) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns true for a call of a test or a group of them, whose first argument is its title. */
function isTest(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.arguments.length > 1 && TEST.test(node.expression.getText());
}

/** Returns the title of a test after those of the groups around it; undefined for another call, or if it never runs. */
function titleOf(test: ts.Node): string | undefined {
  if (!isTest(test)) return undefined;
  const titles: string[] = [];
  for (let node: ts.Node = test; node !== undefined; node = node.parent) {
    if (!isTest(node)) continue;
    if (DISABLED.test(node.expression.getText())) return undefined;
    const [title] = node.arguments as readonly ts.Node[] as readonly [ts.Node];
    titles.unshift(ts.isStringLiteralLike(title) ? title.text : title.getText().replace(/^`|`$/g, ""));
  }
  return titles.join(" ");
}

/** Returns the title of the test of a row: a member of a table, or an entry, that a `test.each` of the file takes. */
function titleOfRow(nodes: readonly ts.Node[]): string | undefined {
  const row = nodes.find(({ parent }) => ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent));
  if (row === undefined) return undefined;
  const call = callWithTable(row);
  const words = wordsOf(row);
  return (call === undefined ? undefined : titleOf(call))
    ?.replace(/%[sijdo]/g, (place) => words.shift() ?? place)
    .replace(/\$(\w+)/g, (place, name) => memberOf(row, name) ?? place);
}

/** Returns the text of a member of the first object in a row that has it. */
function memberOf(row: ts.Node, name: string): string | undefined {
  if (ts.isPropertyAssignment(row) && row.name.getText() === name)
    return ts.isStringLiteralLike(row.initializer) ? row.initializer.text : undefined;
  return ts.forEachChild(row, (child) => memberOf(child, name));
}

/** The texts and numbers that stand in a row. */
function wordsOf(row: ts.Node): string[] {
  if (ts.isPropertyAssignment(row)) return [row.name.getText().replace(/^"|"$/g, "")];
  const entries = ts.isArrayLiteralExpression(row) ? row.elements : [row];
  return entries.flatMap((entry) =>
    ts.isStringLiteralLike(entry) || ts.isNumericLiteral(entry)
      ? [entry.text]
      : ts.isTemplateExpression(entry)
        ? [entry.getText().slice(1, -1)]
        : [],
  );
}

/** Returns the test that takes the table around a row, named or in place. */
function callWithTable(row: ts.Node): ts.Node | undefined {
  let node = row;
  while (!ts.isVariableDeclaration(node) && !ts.isCallExpression(node) && !ts.isSourceFile(node)) node = node.parent;
  if (ts.isCallExpression(node)) return callOfEach(node);
  if (!ts.isVariableDeclaration(node)) return undefined;
  const name = new RegExp(`(?<![\\w.])${node.name.getText()}\\b`);
  const found = (one: ts.Node): ts.Node | undefined =>
    ts.isCallExpression(one) && one.arguments.some((table) => name.test(table.getText()))
      ? (callOfEach(one) ?? ts.forEachChild(one, found))
      : ts.forEachChild(one, found);
  return found(row.getSourceFile());
}

/** Returns `test.each(table)("title", ...)` for `test.each(table)`. */
function callOfEach({ expression, parent }: ts.CallExpression): ts.Node | undefined {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "each" ? parent : undefined;
}
