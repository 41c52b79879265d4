/** Report of a run of a scenario file: its data, and the HTML file. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { realScheme } from "../backends/secp256k1.ts";
import { ok, type Result } from "../core/base/result.ts";
import { type NodeSettings, nodesOf, programsOf } from "../external/nodes.ts";
import { readRecording } from "../live/recording.ts";
import { pageAssets, pageHtml } from "../report/page-file.ts";
import { type RunData, recordingDataOf, runDataOf } from "../report/run-data.ts";
import type { SearchData } from "../report/search-data.ts";
import { siblingOf } from "../report/sibling.ts";
import type { Why } from "../run/events/causes.ts";
import { createParser } from "../scenario/parse.ts";
import { type Scenario, seedOf } from "../scenario/scenario.ts";
import { pathDataIn } from "./explore/report.ts";
import { readOrReport, writeInFolder } from "./files.ts";
import type { Io } from "./io.ts";
import { explainCommandLine, quoteForShell, reproduceCommandLine, versions } from "./reproduce.ts";

/** Events of a report by default: about 3 MB of file, which a browser shows without delay. */
export const REPORT_EVENTS = 200_000;

/** End of the name of the passing file beside a minimized one. */
const PASSING = ".passing.yaml";

/** A run of a file; without a seed under the saved one, else 1. */
export interface ReportedRun {
  readonly path: string;
  readonly seed: string | undefined;
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
  const passing = singleRunData({ path: file, seed: undefined, nodes: run.nodes, bug: run.bug }, most, io);
  return passing === undefined ? data : { ...data, sibling: siblingOf(data.events, passing, file) };
}

function singleRunData(run: ReportedRun, most: number, io: Io): RunData | undefined {
  const { path, bug, why } = run;
  const parser = createParser(run.nodes !== undefined);
  const read = readOrReport(path, (text) => withText(text, parser.parse(text)), io);
  if (read === undefined) return undefined;
  const { text } = read;
  const { scenario: bare, nodes } = nodesOf(read.scenario, run.nodes);
  const scenario = bug === undefined ? bare : { ...bare, bug };
  const seed = seedOf(scenario, run.seed);
  const commands = [reproduceCommandLine(path, seed, run.nodes), explainCommandLine(path, seed, run.nodes)];
  const data = runDataOf(scenario, { seed, programs: programsOf(nodes), text, commands, versions: versions(), most });
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

/** A scenario with the text that it was read from. */
function withText<E>(text: string, parsed: Result<Scenario, E>): Result<{ text: string; scenario: Scenario }, E> {
  return parsed.ok ? ok({ text, scenario: parsed.value }) : parsed;
}

/** Writes a report, and returns its address. */
export function writeReport(data: RunData | SearchData, out: string): string {
  const title = data.type === "quorumlab run" ? `${data.title} · ${data.end.verdict}` : data.title;
  writeInFolder(out, pageHtml(title, data, pageAssets("report")));
  return pathToFileURL(resolve(out)).href;
}

/** Writes the report of a path that the explorer has saved, and says so on stderr. */
export function reportOnPath(file: string, text: string, out: string, io: Io): void {
  io.err(`report: ${writeReport(pathDataIn(file, text, REPORT_EVENTS), out)}\n`);
}

/** Runs a file that another command has run, writes its report, and says so on stderr. */
export function reportOn(run: ReportedRun, out: string, io: Io): void {
  const data = runDataIn(run, REPORT_EVENTS, io);
  if (data !== undefined) io.err(`report: ${writeReport(data, out)}\n`);
}
