/** docs/mutations.md: what a validator answers to each mutation of each field of each message, measured in real runs. */
import { MUTATIONS } from "../../src/simulator/byzantine/field-mutations.ts";
import { MESSAGE_KINDS } from "../../src/simulator/byzantine/message-fields.ts";
import { preface } from "./files.ts";
import { code, page, table } from "./markdown.ts";
import type { MutationAnswers, MutationCensus } from "./mutation-census.ts";

/** Answers by path of a field, as text. */
type Answers = ReadonlyMap<string, string>;

export function mutationsDocument(root: string, { rows }: MutationCensus): string {
  const meanings = Object.entries(MUTATIONS).map(([name, meaning]) => [code(name), meaning]);
  const placed = rows.map(placedRow);
  return page([
    preface(root, "mutations"),
    "## 2 Mutations",
    table(["mutation", "meaning"], meanings),
    "## 3 Answers",
    ...[...MESSAGE_KINDS, CONTENT].flatMap((name) =>
      section(
        name,
        placed.filter((row) => row.kind === name),
      ),
    ),
  ]);
}

/** Section of the fields of contents, which messages of many kinds carry. */
const CONTENT = "content";

/** Returns a row with the path below its section. */
function placedRow({ kind, path, ...row }: MutationAnswers): MutationAnswers {
  const [, inContent] = /^.*\b(?:contents\[\]|content|locked\[\])\.(.*)$/u.exec(path) ?? [];
  if (inContent !== undefined) return { ...row, kind: CONTENT, path: inContent };
  return { ...row, kind, path: path === kind ? WHOLE : path.slice(kind.length + 1) };
}

/** Path of a whole statement or certificate. */
const WHOLE = "(whole)";

function section(name: string, rows: readonly MutationAnswers[]): readonly string[] {
  const kept = answersOf(rows.filter(({ signing }) => signing === "kept"));
  const renewed = answersOf(rows.filter(({ signing }) => signing === "renewed"));
  const differing = new Map([...renewed].filter(([path, answers]) => kept.get(path) !== answers));
  const again = differing.size === 0 ? [] : ["Signed again, where that differs:", answerTable(differing)];
  return [`### ${name}`, answerTable(kept), ...again];
}

function answersOf(rows: readonly MutationAnswers[]): Answers {
  const paths = [...new Set(rows.map(({ path }) => path))].sort();
  return new Map(paths.map((path) => [path, cellOf(rows.filter((row) => row.path === path))]));
}

/** Mutations with the same answers stand together. */
function cellOf(rows: readonly MutationAnswers[]): string {
  const answers = new Map<string, Set<string>>();
  for (const row of rows) answers.set(row.mutation, new Set([...(answers.get(row.mutation) ?? []), ...row.answers]));
  const mutations = new Map<string, string[]>();
  for (const [mutation, all] of answers) {
    const told = [...all].filter((answer) => answer !== "nothing" || all.size === 1).sort();
    const words = told.join(" or ");
    mutations.set(words, [...(mutations.get(words) ?? []), mutation]);
  }
  const parts = [...mutations].map(([words, names]) => `**${words}**: ${names.sort().join(", ")}`);
  return parts.sort().join("; ");
}

/** Fields with the same answers stand in one row. */
function answerTable(answers: Answers): string {
  const fields = new Map<string, string[]>();
  for (const [path, cell] of answers) fields.set(cell, [...(fields.get(cell) ?? []), code(path)]);
  return table(
    ["fields", "answers"],
    [...fields].map(([cell, paths]) => [paths.join(", "), cell]),
  );
}
