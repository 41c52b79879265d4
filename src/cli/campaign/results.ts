/** `quorumlab campaign results`: collects results and findings, and prints the table or the answer to a query. */
import { existsSync, mkdirSync } from "node:fs";
import { courseOf } from "../../campaign/course.ts";
import { replaceResults, resultsFile } from "../../campaign/embedded.ts";
import { type Finding, findingsOf, keepFindings } from "../../campaign/findings.ts";
import type { Plan } from "../../campaign/plan.ts";
import type { JobQueue } from "../../campaign/queue.ts";
import { summaryOf } from "../../campaign/summary.ts";
import { inColumns } from "../../report/columns.ts";
import {
  type Args,
  type CommandOptions,
  EXIT,
  type ExitCode,
  type Subcommand,
  textOf,
  UsageError,
} from "../command.ts";
import { type Io, painterFor } from "../io.ts";
import { JSON_OPTION, QUIET_OPTION, textOption } from "../options.ts";
import { type CampaignReport, isClean, reportLines, reportText } from "./report.ts";
import { planIn, TARGET_OPTIONS, targetOf, withQueue } from "./target.ts";

/** The option of what keeps findings. */
export const REPORTS_OPTION: CommandOptions = {
  reports: { type: "boolean", default: true, description: "write an HTML page for each new finding" },
};

export const resultsAction: Subcommand = {
  usage: "results",
  description: "collect results and findings, and print the table or the answer to a query",
  examples: [
    ["$0 campaign results", "worlds, findings, coverage"],
    ["$0 campaign results --sql 'select seed, ms from worlds order by ms desc limit 5'", "the slowest seeds"],
  ],
  options: {
    sql: textOption("a query of DuckDB over the tables of docs/guides/campaigns.md"),
    ...TARGET_OPTIONS,
    ...REPORTS_OPTION,
    json: JSON_OPTION,
    quiet: QUIET_OPTION,
  },
  run: async (args, io) =>
    withQueue(args, io, async (queue) => {
      const sql = textOf(args, "sql");
      // DuckDB reads the file itself, which may hold more than fits in memory.
      if (sql !== undefined && targetOf(args).redis === undefined) return printAnswer(sql, args, io);
      const report = await reportOf(queue, await planIn(queue, args), args, io);
      return sql === undefined ? printResults(report, args, io) : printAnswer(sql, args, io);
    }),
};

/** Collects the results of a campaign, and keeps its findings with their pages. */
export async function reportOf(queue: JobQueue, plan: Plan, args: Args, io: Io): Promise<CampaignReport> {
  const { name, folder, findings, redis } = targetOf(args);
  const [results, counts] = [await queue.results(), await queue.counts()];
  if (redis !== undefined) {
    mkdirSync(folder, { recursive: true });
    replaceResults(folder, results);
  }
  const kept = keepFindings(findings, results, plan);
  if (args["reports"] !== false && kept.added.length > 0) await reportsOn(kept.added, io);
  return {
    ...{ name, plan, counts, summary: summaryOf(results), kept, cpuMs: io.cpu(), findings: findingsOf(findings) },
    course: () => courseOf(results),
  };
}

/** Writes the pages of findings. */
export async function reportsOn(findings: readonly Finding[], io: Io): Promise<void> {
  const { reportOn } = await import("../report-file.ts");
  for (const { file, seed, report } of findings) reportOn({ path: file, seed }, report, io);
}

/** Prints results; returns 1 if they show a failure. */
export async function printResults(report: CampaignReport, args: Args, io: Io): Promise<ExitCode> {
  const clean = isClean(report);
  if (args["json"] === true) io.out(reportLines(report));
  else if (args["quiet"] !== true || !clean) io.out(reportText(report, painterFor(io)));
  return clean ? EXIT.expected : EXIT.failed;
}

async function printAnswer(sql: string, args: Args, io: Io): Promise<ExitCode> {
  const file = resultsFile(targetOf(args).folder);
  if (!existsSync(file)) throw new UsageError(`--sql: there are no results in ${file}`);
  const { answerTo, QueryError } = await import("../../campaign/sql.ts");
  try {
    const { columns, rows } = await answerTo(sql, file);
    if (args["json"] === true)
      for (const row of rows)
        io.out(`${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]])))}\n`);
    else io.out(tableText(columns, rows));
    return EXIT.expected;
  } catch (error) {
    throw error instanceof QueryError ? new UsageError(`--sql: ${error.message}`) : error;
  }
}

/** Returns columns as wide as their widest cell; numbers stand to the right. */
function tableText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : JSON.stringify(cell))));
  const isNumber = columns.map((_, at) => rows.every((row) => typeof row[at] === "number"));
  return inColumns([columns, ...cells], isNumber)
    .map((line) => `${line}\n`)
    .join("");
}
