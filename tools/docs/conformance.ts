/** docs/conformance.md: the statements of the user's document, each with the tests and scenarios that hold it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Holder, holdersBelow } from "./holders.ts";
import { code, page, preface, table, wrapText } from "./markdown.ts";

/** A statement of the document in our words. */
export interface Statement {
  readonly number: number;
  readonly says: string;
  /** Sections of our documents that state it. */
  readonly at: string;
  /** Where the document leaves a choice: the topic in section 16 of our specification, or several. */
  readonly choice?: string | readonly string[];
  /** Where the program deviates: how. */
  readonly open?: string;
}

/** Statements by the chapters of the document, in its order. */
export type Chapters = Readonly<Record<string, readonly Statement[]>>;

const STATEMENTS = "tools/docs/conformance.yaml";

export function conformanceDocument(root: string): string {
  const chapters = parse(readFileSync(join(root, STATEMENTS), "utf8")) as Chapters;
  const specification = readFileSync(join(root, "docs/specification.md"), "utf8");
  return page([
    preface(root, "conformance"),
    ...conformanceText(chapters, choicesIn(specification), holdersBelow(root)),
  ]);
}

/** Returns the choices of section 16 of the specification, by topic. */
export function choicesIn(specification: string): ReadonlyMap<string, string> {
  const [, section = ""] = specification.split(/^## 16 .*$/m);
  const rows = section.matchAll(/^\| (.+?) \| (.+) \|$/gm);
  return new Map([...rows].map(([, topic = "", choice = ""]) => [topic, choice]));
}

/**
 * Returns the sections of the document after its preface.
 *
 * @throws Error for a statement without a test and without a choice or a reason why it is open, for an unknown topic,
 *   a number out of order, and a tag of an unknown number
 */
export function conformanceText(
  chapters: Chapters,
  choices: ReadonlyMap<string, string>,
  holders: readonly Holder[],
): readonly string[] {
  const statements = Object.values(chapters).flat();
  checkStatements(statements, choices);
  checkHolders(holders, statements.length);
  const heldBy = (number: number) => holders.filter(({ numbers }) => numbers.includes(number));
  for (const { number, choice, open } of statements)
    if (heldBy(number).length === 0 && choice === undefined && open === undefined)
      throw new Error(`${STATEMENTS}: ${number}: no test or scenario holds it: expected a tag, a choice or a reason`);
  const open = statements.filter((statement) => statement.open !== undefined);
  const settled = statements.filter((statement) => statement.open === undefined);
  const held = settled.filter(({ number }) => heldBy(number).length > 0);
  const chosen = held.filter(({ choice }) => choice !== undefined);
  return [
    "## 3 Open statements",
    wrapText(
      `Of ${statements.length} statements, tests hold ${held.length}, among them ${chosen.length} where the document leaves a choice. A choice alone is stated for ${settled.length - held.length}. The program deviates from ${open.length === 0 ? "none of them." : `${open.length}, which are open:`}`,
    ),
    ...(open.length === 0
      ? []
      : [open.map(({ number, open: reason }) => wrapText(`- ${number}: ${reason}`, "  ")).join("\n")]),
    "## 4 Statements",
    ...Object.entries(chapters).flatMap(([chapter, rows], index) => [
      `### 4.${index + 1} ${chapter}`,
      table(
        ["no.", "statement", "section", "held by"],
        rows.map((row) => [String(row.number), row.says, row.at, proofOf(row, choices, heldBy(row.number))]),
      ),
    ]),
  ];
}

function checkStatements(statements: readonly Statement[], choices: ReadonlyMap<string, string>): void {
  for (const [index, { number, says, at, choice, open }] of statements.entries()) {
    const fault = (words: string): Error => new Error(`${STATEMENTS}: ${number}: ${words}`);
    if (number !== index + 1) throw fault(`expected the number ${index + 1}`);
    for (const [member, text] of Object.entries({ says, at }))
      if (typeof text !== "string" || text.trim() === "") throw fault(`${member}: expected a text`);
    if (open !== undefined && (typeof open !== "string" || open.trim() === ""))
      throw fault("open: expected how the program deviates");
    for (const topic of topicsIn(choice))
      if (!choices.has(topic)) throw fault(`choice: section 16 of docs/specification.md has no topic "${topic}"`);
  }
}

function topicsIn(choice: Statement["choice"]): readonly string[] {
  return choice === undefined ? [] : [choice].flat();
}

function checkHolders(holders: readonly Holder[], count: number): void {
  for (const { path, title, numbers } of holders)
    for (const number of numbers)
      if (number < 1 || number > count)
        throw new Error(`${path}: "${title}" holds ${number}: expected a number from 1 to ${count}`);
}

function proofOf(
  { choice, open }: Statement,
  choices: ReadonlyMap<string, string>,
  holders: readonly Holder[],
): string {
  return [
    ...(open === undefined ? [] : [`**open**: ${open}`]),
    ...topicsIn(choice).map(
      (topic) => `left open by the document: *${topic}*; we chose: ${choices.get(topic)} (specification 16)`,
    ),
    ...holders.map(({ path, title }) => `${code(path)}: ${title}`),
  ].join("<br>");
}
