/**
 * Writes object literals that spread as `Object.assign`: the V8 of Node 20 gives each record made by `{ ...a, k: v }` a
 * hidden class of its own (decision 052). As a program it does so in all JavaScript files of the folders that it is given.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { globSync } from "tinyglobby";
import ts from "typescript";

/** Returns the text of a module without such literals; its lines stay. A lone `{ ...a }` has no such cost and stays too. */
export function withoutSpreads(text) {
  if (!text.includes("...")) return text;
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const edits = [];
  visit(source);
  edits.sort((one, other) => one.from - other.from || one.order - other.order);
  let [written, at] = ["", 0];
  for (const { from, to, by } of edits) {
    written += text.slice(at, from) + by;
    at = to;
  }
  return written + text.slice(at);

  function visit(node) {
    if (ts.isObjectLiteralExpression(node) && isLowered(node)) lower(node);
    ts.forEachChild(node, visit);
  }

  /** `{ ...a, k: v, ...b }` becomes `Object.assign(Object.assign(Object.assign({}, a), { k: v }), b)`: evaluated in that order. */
  function lower(literal) {
    const runs = runsOf(literal.properties);
    const isEmptyFirst = ts.isSpreadAssignment(runs[0][0]);
    const calls = isEmptyFirst ? runs.length : runs.length - 1;
    edit(literal.getStart(), literal.getStart() + 1, `(${"Object.assign(".repeat(calls)}${isEmptyFirst ? "{}" : ""}`);
    for (const [index, run] of runs.entries()) {
      const [first, last] = [run[0], run.at(-1)];
      const isSpread = ts.isSpreadAssignment(first);
      const [comma, end] = index === 0 && !isEmptyFirst ? ["", ""] : [",", ")"];
      edit(first.getStart(), isSpread ? first.expression.getStart() : first.getStart(), isSpread ? comma : `${comma}{`);
      edit(last.getEnd(), last.getEnd(), isSpread ? end : `}${end}`);
    }
    const ends = new Set(runs.map((run) => run.at(-1)));
    const [, list] = literal.getChildren();
    for (const [index, child] of list.getChildren().entries())
      if (child.kind === ts.SyntaxKind.CommaToken && ends.has(list.getChildAt(index - 1)))
        edit(child.getStart(), child.getEnd(), "");
    edit(literal.getEnd() - 1, literal.getEnd(), ")");
  }

  function edit(from, to, by) {
    edits.push({ from, to, by, order: edits.length });
  }
}

/** Returns spreads one by one, and the other members between them together. */
function runsOf(properties) {
  const runs = [];
  for (const property of properties) {
    const last = runs.at(-1);
    if (ts.isSpreadAssignment(property) || last === undefined || ts.isSpreadAssignment(last[0])) runs.push([property]);
    else last.push(property);
  }
  return runs;
}

/** An accessor would be called once and for all. */
function isLowered(literal) {
  const { length } = literal.properties;
  return (
    length > 1 &&
    literal.properties.some(ts.isSpreadAssignment) &&
    !literal.properties.some(ts.isAccessor) &&
    !isTarget(literal)
  );
}

/** Returns true for the left side of an assignment, which takes members and makes no record. */
function isTarget({ parent, pos }) {
  return (
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left.pos === pos
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const path of globSync(process.argv.slice(2).map((folder) => `${folder}/**/*.js`), { ignore: "**/node_modules/**" }))
    writeFileSync(path, withoutSpreads(readFileSync(path, "utf8")));
