/** The report that is kept: counts by file, then each survivor. No times, no paths of a machine. */
import type { Matched } from "./explained.ts";
import type { FileResult, Survivor, Tally } from "./results.ts";

const HEAD = `# Mutation test

StrykerJS changes the agreement and the money paths of the ledger in one place at a time. Judges of each change are the
unit and property tests of the core, the scenarios of rules and regressions, and a fixed number of drawn worlds, by their
verdicts. Ignored are words for people, branches that the type checker rules out, and what runs only while files load.
What no judge notices is a survivor, and each has to be explained. \`npm run mutation\` makes this file again.
`;

const COLUMNS = ["File", "Mutants", "Killed", "Timed out", "Survived", "Not covered", "Broken", "Ignored", "Score"];

/** The whole text. */
export function reportText(files: readonly FileResult[], matched: Matched): string {
  const { explained, unexplained, idle } = matched;
  const rows = [...files.map(({ file, tally }) => row(file, tally)), row("all", total(files))];
  const table = [COLUMNS, COLUMNS.map((_, at) => (at === 0 ? "---" : "--:")), ...rows];
  const reasons = new Map(explained.map(({ survivor, why }) => [survivor, why]));
  const survivors = files.flatMap(({ file, survivors }) => (survivors.length === 0 ? [] : [section(file, survivors)]));
  const faults = [
    ...unexplained.map((one) => `- no explanation: ${place(one)}`),
    ...idle.map((one) => `- explains no survivor: ${one}`),
  ];
  return [
    HEAD,
    ...table.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `${explained.length} survivors are explained, ${unexplained.length} are not.`,
    ...(faults.length === 0 ? [] : ["", "## Faults of this report", "", ...faults]),
    ...survivors,
    "",
  ].join("\n");

  function section(file: string, all: readonly Survivor[]): string {
    const lines = all.map(
      (one) =>
        `- line ${one.line}${one.covered ? "" : " (not covered)"}: ${change(one)}\n  ${reasons.get(one) ?? "**Not explained.**"}`,
    );
    return `\n## ${file}\n\n${lines.join("\n")}`;
  }
}

function place(one: Survivor): string {
  return `${one.file}:${one.line}: ${change(one)}`;
}

function change({ at, from, to }: Survivor): string {
  const within = at === from ? "" : `, in ${code(at)}`;
  return `${code(from)} becomes ${to === "" ? "nothing" : code(to)}${within}`;
}

/** Text that may itself hold backquotes. */
function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function row(name: string, { killed, timedOut, survived, uncovered, broken, ignored }: Tally): readonly string[] {
  const judged = killed + timedOut + survived + uncovered;
  const counts = [judged + broken + ignored, killed, timedOut, survived, uncovered, broken, ignored];
  const score = judged === 0 ? "" : `${(Math.floor((1000 * (killed + timedOut)) / judged) / 10).toFixed(1)} %`;
  return [name, ...counts.map(String), score];
}

function total(files: readonly FileResult[]): Tally {
  const sum = { killed: 0, timedOut: 0, survived: 0, uncovered: 0, broken: 0, ignored: 0 };
  for (const { tally } of files) for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name];
  return sum;
}
