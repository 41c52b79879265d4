/** `quorumlab conform`: how much of the scenario files a validator of others passes, area by area. */
import { dirname } from "node:path";
import { entryOf } from "../core/base/entry.ts";
import { findScenarios, type ScenarioFile } from "../scenario/files.ts";
import { problemText } from "../schema/problem.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, texts, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { runJobs, workersFor } from "./jobs/workers.ts";
import {
  FILE_SEED_OPTION,
  JUNIT_OPTION,
  NODE_OPTION,
  nodesOption,
  OUTPUT_OPTIONS,
  textArgument,
  textOption,
  threadsOf,
  wholeNumber,
} from "./options.ts";
import { CiReport, jsonLine, outputOf } from "./output.ts";
import { reportOfRun } from "./reproduce.ts";
import type { FileOutcome, FileRun, RunSettings } from "./run/execution.ts";

const PERCENT_MAX = 100;

export const conformCommand: Command = {
  examples: [
    ["$0 conform scenarios --node './my-validator'", "a score for each folder of scenario files"],
    ["$0 conform scenarios --node './my-validator' --least 95", "exit code 1 below 95 %"],
  ],
  positionals: {
    files: { ...textArgument("scenario files, folders, or patterns in quotes"), default: ["scenarios"] },
  },
  options: {
    node: { ...NODE_OPTION, demandOption: true },
    least: textOption("the least share of the files that fit which pass, in percent", PERCENT_MAX),
    seed: FILE_SEED_OPTION,
    workers: textOption("threads; they do not affect the results"),
    junit: JUNIT_OPTION,
    ...OUTPUT_OPTIONS,
  },
  run: conform,
};

/** Files of one folder. */
interface Area {
  passed: number;
  failed: number;
  /** Files that need what the node does not have. */
  leftOut: number;
}

const emptyArea = (): Area => ({ passed: 0, failed: 0, leftOut: 0 });

async function conform(args: Args, io: Io): Promise<ExitCode> {
  const nodes = nodesOption(args);
  const least = wholeNumber(args, "least", 0, PERCENT_MAX) ?? PERCENT_MAX;
  const { files, problems } = findScenarios(texts(args, "files"));
  for (const { path, message } of problems) throw new UsageError(`${path}: ${message}`);
  const output = outputOf(args, io);
  const ci = new CiReport(io, "quorumlab conform", args);
  const seed = textOf(args, "seed");
  const settings: RunSettings = { crypto: "stand-in", writesTranscripts: false, writesProofs: false, tags: [], nodes };
  const [areas, total] = [new Map<string, Area>(), emptyArea()];
  const note = (outcome: FileOutcome, file: ScenarioFile): void => {
    const count = (member: keyof Area): void => {
      for (const area of [entryOf(areas, dirname(file.path), emptyArea), total]) area[member] += 1;
    };
    if (outcome.status === "unfit" || outcome.status === "excluded") count("leftOut");
    else if (outcome.status === "refused") {
      count("failed");
      ci.noteRefused(file.path, file.id, outcome.problems);
      for (const problem of outcome.problems) io.err(`${problemText(file.path, problem)}\n`);
    } else {
      const { result, wallMs, text } = outcome;
      const hasPassed = result.verdict === "pass";
      count(hasPassed ? "passed" : "failed");
      const report = reportOfRun({ id: file.id, file: file.path, result, wallMs }, nodes);
      ci.noteRun(report, { text });
      if (hasPassed || output.quiet || output.json) return;
      io.out(`${result.verdict.padEnd(10)}${file.id}: ${result.reason.split("\n")[0]}\n          ${report.replay}\n`);
    }
  };
  const runs = files.map((file): FileRun => ({ ...file, seed }));
  let taken = 0;
  const threads = threadsOf(args);
  await runJobs({
    workers: workersFor({ kind: "run", settings, threads, isStopped: () => io.interrupted(), now: () => io.now() }),
    take: () => runs[taken++],
    onResult: (outcome, file, place) => {
      output.progress.at(place + 1, files.length, file.id);
      output.progress.clear();
      note(outcome, file);
      return undefined;
    },
  });
  output.progress.clear();
  await ci.write({ result: badgeText(total) });
  if (output.json) {
    for (const [area, counts] of areas) io.out(areaLine(area, counts));
    io.out(areaLine("all", total));
  } else io.out(areaTable([...areas, ["all", total]], total));
  if (await io.interrupted()) return EXIT.interrupted;
  return total.passed + total.failed > 0 && shareOf(total) >= least ? EXIT.expected : EXIT.failed;
}

/** Returns the percentage of the files that fit which pass, rounded down; 0 where none fits. */
function shareOf({ passed, failed }: Area): number {
  return passed + failed === 0 ? 0 : Math.floor((passed * PERCENT_MAX) / (passed + failed));
}

function badgeText(area: Area): string {
  return `conformance ${area.passed}/${area.passed + area.failed} (${shareOf(area)} %)`;
}

function areaLine(area: string, counts: Area): string {
  const { passed, failed, leftOut: left_out } = counts;
  return jsonLine({ type: "area", area, passed, failed, left_out, percent: shareOf(counts) });
}

function areaTable(areas: readonly (readonly [string, Area])[], total: Area): string {
  const width = Math.max(...areas.map(([name]) => name.length));
  const rows = areas.map(([name, area]) => {
    const fit = area.passed + area.failed;
    const share = fit === 0 ? "" : `${String(shareOf(area)).padStart(4)} %`;
    return `${name.padEnd(width)} ${String(area.passed).padStart(4)} of ${String(fit).padEnd(4)}${share.padEnd(7)}${area.leftOut} left out\n`;
  });
  return `${rows.join("")}${badgeText(total)}\n`;
}
