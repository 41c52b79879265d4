/** Report of a run of a scenario file: its data, and the HTML file. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { realScheme } from "../backends/secp256k1.ts";
import type { NodeSettings } from "../external/nodes.ts";
import { readRecording } from "../live/recording.ts";
import { pageAssets, pageHtml } from "../report/page-file.ts";
import { type RunData, recordingDataOf, runDataOf } from "../report/run-data.ts";
import type { SearchData } from "../report/search-data.ts";
import { siblingOf } from "../report/sibling.ts";
import type { Why } from "../run/events/causes.ts";
import { pathDataIn } from "./explore/report.ts";
import { scenarioRunIn, writeInFolder } from "./files.ts";
import type { Io } from "./io.ts";
import { explainCommandLine, quoteForShell, reproduceCommandLine, versions } from "./reproduce.ts";

/** Events of a report by default: about 3 MB of file, which a browser shows without delay. */
export const REPORT_EVENTS = 200_000;

/** End of the name of the passing file beside a minimized one. */
const PASSING = ".passing.yaml";

/** A run of a file; without a seed under the saved one, else 1. */
/** A path that the explorer has saved, by its file. */
export type ReportedPath = Readonly<{ explored: string }>;

export interface ReportedRun {
  readonly path: string;
  readonly seed?: string | undefined;
  /** Validators that others wrote. */
  readonly nodes?: NodeSettings | undefined;
  /** Known-bad variant in place of that of the file. */
  readonly bug?: string | undefined;
  /** Causes of its first violation. */
  readonly why?: Why;
}

/**
 * Runs a scenario file, and of a failing one the passing file that `shrink` writes beside it. Reports problems and returns
 * `undefined`. `most`: events that the data holds.
 */
export function runDataIn(run: ReportedRun, most: number, io: Io): RunData | undefined {
  const data = singleRunData(run, most, io);
  const file = run.path.replace(/\.ya?ml$/i, PASSING);
  if (data === undefined || data.end.verdict === "pass" || !existsSync(file)) return data;
  const passing = singleRunData({ path: file, nodes: run.nodes, bug: run.bug }, most, io);
  return passing === undefined ? data : { ...data, sibling: siblingOf(data.events, passing, file) };
}

function singleRunData(run: ReportedRun, most: number, io: Io): RunData | undefined {
  const { path, bug, why } = run;
  const read = scenarioRunIn(path, run.seed, run.nodes, io);
  if (read === undefined) return undefined;
  const { text, seed, programs } = read;
  const scenario = bug === undefined ? read.scenario : { ...read.scenario, bug };
  const commands = [reproduceCommandLine(path, seed, run.nodes), explainCommandLine(path, seed, run.nodes)];
  const data = runDataOf(scenario, { seed, programs, text, commands, versions: versions(), most });
  return why === undefined ? data : { ...data, why, essential: why.essential.map(({ event }) => event.step) };
}

/** Replays a recording with this text; reports problems and returns `undefined`. */
export function recordingData(path: string, text: string, most: number, io: Io): RunData | undefined {
  const read = readRecording(text);
  if (!read.ok) {
    io.err(`${path}: ${read.error}\n`);
    return undefined;
  }
  const commands = [`quorumlab replay ${quoteForShell(path)}`, `quorumlab explain ${quoteForShell(path)}`];
  return recordingDataOf(read.value, realScheme(), { commands, versions: versions(), most });
}

/** Writes a report, and returns its address. */
export function writeReport(data: RunData | SearchData, out: string): string {
  const title = data.type === "quorumlab run" ? `${data.title} · ${data.end.verdict}` : data.title;
  writeInFolder(out, pageHtml(title, data, pageAssets("report")));
  return pathToFileURL(resolve(out)).href;
}

/** Runs a file that another command has run, or a path that the explorer has saved, writes its report, and says so on stderr. */
export function reportOn(run: ReportedRun | ReportedPath, out: string, io: Io): void {
  const data =
    "explored" in run
      ? pathDataIn(run.explored, readFileSync(run.explored, "utf8"), REPORT_EVENTS)
      : runDataIn(run, REPORT_EVENTS, io);
  if (data !== undefined) io.err(`report: ${writeReport(data, out)}\n`);
}
