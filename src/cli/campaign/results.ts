/** `quorumlab campaign results`: collects results and findings, and prints the table. */
import { mkdirSync } from "node:fs";
import { courseOf } from "../../campaign/course.ts";
import { replaceResults } from "../../campaign/embedded.ts";
import { type Finding, findingsOf, keepFindings } from "../../campaign/findings.ts";
import type { Plan } from "../../campaign/plan.ts";
import type { JobQueue } from "../../campaign/queue.ts";
import { summaryOf } from "../../campaign/summary.ts";
import { type Args, type CommandOptions, EXIT, type ExitCode, type Subcommand } from "../command.ts";
import { type Io, painterFor } from "../io.ts";
import { JSON_OPTION, QUIET_OPTION } from "../options.ts";
import { type CampaignReport, isClean, reportLines, reportText } from "./report.ts";
import { planIn, TARGET_OPTIONS, targetOf, withQueue } from "./target.ts";

/** The option of what keeps findings. */
export const REPORTS_OPTION: CommandOptions = {
  reports: { type: "boolean", default: true, description: "write an HTML page for each new finding" },
};

export const resultsAction: Subcommand = {
  usage: "results",
  description: "collect results and findings, and print the table",
  examples: [["$0 campaign results", "worlds, findings, coverage"]],
  options: {
    ...TARGET_OPTIONS,
    ...REPORTS_OPTION,
    json: JSON_OPTION,
    quiet: QUIET_OPTION,
  },
  run: async (args, io) =>
    withQueue(args, io, async (queue) =>
      printResults(await reportOf(queue, await planIn(queue, args), args, io), args, io),
    ),
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
