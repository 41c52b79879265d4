/** Results of campaigns: collected with their findings, and printed as a table or as JSON lines. */

import { mkdirSync } from "node:fs";
import { replaceResults } from "../../campaign/embedded.ts";
import { type Finding, findingsOf, keepFindings } from "../../campaign/findings.ts";
import type { Plan } from "../../campaign/job.ts";
import type { JobQueue } from "../../campaign/queue.ts";
import { type Summary, totalsOf } from "../../campaign/summary.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import type { NodeSettings } from "../../external/nodes.ts";
import { countText } from "../../invariants/text.ts";
import type { Paint } from "../../report/paint.ts";
import { COVERAGE_POINT_NAMES } from "../../scenario/coverage-points.ts";
import { type Args, type CommandOptions, EXIT, type ExitCode, type Subcommand } from "../command.ts";
import { occurrencesText, requestOf, shortcomingsText } from "../fuzz/report.ts";
import { type Io, painterFor } from "../io.ts";
import { JSON_OPTION, NODE_OPTION, nodesOption, QUIET_OPTION } from "../options.ts";
import { jsonLine } from "../output.ts";
import { drawCommandLine, reproduceCommandLine } from "../reproduce.ts";
import { planIn, TARGET_OPTIONS, targetOf, withQueue } from "./target.ts";

/** Returns true if a campaign is over and showed nothing. */
function isClean({ summary, counts, findings }: CampaignReport): boolean {
  const { failed, errors, shortcomings } = summary;
  const isOpen = findings.some(({ state }) => state === "open");
  return failed + errors.length + shortcomings.length === 0 && counts.lost === 0 && !isOpen;
}

/** Returns the lines of a report in JSON, the last of the type `summary`. */
function reportLines(report: CampaignReport): string {
  const { name, plan, counts, summary, findings, kept, cpuMs, course } = report;
  const { findings: sums, reached, occurrences, errors, ...numbers } = summary;
  const lines = [
    ...failureLines(sums, plan),
    ...findings.map((finding) => ({ type: "finding", ...finding })),
    ...course(),
    ...errors,
    {
      type: "summary",
      name,
      ...requestOf(plan.generator, plan.first, plan.seeds),
      ...numbers,
      cpu_ms: Math.round(cpuMs),
      distinct: sums.length,
      coverage: reached,
      occurrences: Object.fromEntries([...occurrences].sort()),
      waiting: counts.waiting,
      active: counts.active,
      lost: counts.lost,
      stopped: counts.isStopped,
      added: kept.added.length,
      closed: kept.closed.length,
      ...plan.program,
    },
  ];
  return lines.map(jsonLine).join("");
}

/** Returns a line for each failure signature; without a plan it cannot say how to repeat one. */
export function failureLines(sums: Summary["findings"], plan: Plan | undefined) {
  return sums.map((sum) => ({
    ...{ type: "failure", ...sum },
    ...(plan === undefined ? {} : { replay: replayOf(plan, sum.seed) }),
  }));
}

/** Returns the command that draws and runs a seed of a campaign again. */
function replayOf({ generator, nodes }: Plan, seed: string): string {
  return drawCommandLine({ ...generator, nodes: nodes && { commands: nodes } }, seed);
}

/** Returns the report for people. */
function reportText(report: CampaignReport, paint: Paint): string {
  const { name, plan, counts, summary, findings } = report;
  const { jobs, worlds, failed, operations, final, events, work_ms, reached, occurrences, shortcomings } = summary;
  const state = counts.isStopped ? "stopped" : counts.waiting + counts.active === 0 ? "finished" : "running";
  const all = jobs + counts.waiting + counts.active;
  return [
    `campaign ${name}: ${state}, ${jobs} of ${countText(all, "job")}${counts.lost > 0 ? `, ${paint("bad", `${counts.lost} lost`)}` : ""}\n`,
    `  worlds      ${worlds} of ${plan.seeds}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}\n`,
    `  operations  ${operations}, ${final} final\n`,
    `  events      ${events}\n`,
    `  work        ${(work_ms / 1_000).toFixed(1)} s over all workers\n`,
    `  coverage    ${reached} of ${COVERAGE_POINT_NAMES.length} points\n`,
    shortcomingsText(shortcomings, paint),
    ...(occurrences.size === 0 ? [] : [occurrencesText(worlds, occurrences, paint)]),
    ...summary.findings.map(
      ({ signature, worlds: alike, seed }) =>
        `${String(alike).padStart(6)} ${signature}\n       ${paint("dim", "reproduce:")} ${replayOf(plan, seed)}\n`,
    ),
    ...findings.map((finding) => findingText(finding, report, paint)),
    ...summary.errors.map(({ job, error }) => `${paint("bad", "not done")} ${job}: ${error ?? ""}\n`),
  ].join("");
}

function findingText(
  { key, state, closed_by, file, seed, steps, why }: Finding,
  { kept: { added }, plan }: CampaignReport,
  paint: Paint,
): string {
  if (state === "closed") return `${paint("good", "closed")} ${key} by ${closed_by ?? ""}\n`;
  const isNew = added.some((finding) => finding.key === key);
  const run = reproduceCommandLine(file, seed, plan.nodes && { commands: plan.nodes });
  const isReduced = why !== undefined && why.sufficient.length < why.causes;
  const causes = isReduced ? `, of ${countText(why.causes, "cause")} ${why.sufficient.length} suffice` : "";
  return `${paint("bad", isNew ? "found" : "open")} ${key}, ${countText(steps, "step")}${causes}\n       ${run}\n`;
}

/** The option of what keeps findings. */
export const REPORTS_OPTION: CommandOptions = {
  reports: { type: "boolean", default: true, description: "write an HTML page for each new finding" },
  node: NODE_OPTION,
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
      printResults(await collectReport(queue, await planIn(queue, args), args, io), args, io),
    ),
};

/** Collects the results of a campaign so far, and keeps its findings with their pages. */
export async function collectReport(queue: JobQueue, plan: Plan, args: Args, io: Io) {
  const { name, folder, findings, redis } = targetOf(args);
  const [results, counts] = [await queue.results(), await queue.counts()];
  if (redis !== undefined) {
    mkdirSync(folder, { recursive: true });
    replaceResults(folder, results);
  }
  const kept = keepFindings(findings, results, plan);
  if (args["reports"] !== false) await writeFindingPages([...kept.added, ...kept.explained], io, nodesOption(args));
  const totals = totalsOf(results);
  return {
    name,
    plan,
    counts,
    summary: totals.summary(),
    kept,
    /** CPU time of this process so far: of all work, where it did it. */
    cpuMs: io.cpu(),
    /** All findings of the folder. */
    findings: findingsOf(findings),
    /** Points, slowest worlds and coverage. */
    course: () => totals.lines(),
  };
}

type CampaignReport = Awaited<ReturnType<typeof collectReport>>;

/** Writes the pages of findings. */
export async function writeFindingPages(findings: readonly Finding[], io: Io, nodes?: NodeSettings): Promise<void> {
  if (findings.length === 0) return;
  const { reportOn } = await import("../report-file.ts");
  for (const { file, seed, report, why } of findings)
    reportOn({ path: file, seed, nodes, ...definedMembers({ why }) }, report, io);
}

/** Prints results; returns 1 if they show a failure. */
export async function printResults(report: CampaignReport, args: Args, io: Io): Promise<ExitCode> {
  const clean = isClean(report);
  if (args["json"] === true) io.out(reportLines(report));
  else if (args["quiet"] !== true || !clean) io.out(reportText(report, painterFor(io)));
  return clean ? EXIT.expected : EXIT.failed;
}
