/** `quorumlab report`: a run, a campaign, a hunt or a bench as one HTML file. */

import { basename, dirname } from "node:path";
import { EmbeddedQueue } from "../campaign/embedded.ts";
import { MalformedCampaign, resultsIn, wholeLines } from "../campaign/read.ts";
import { totalsOf } from "../campaign/summary.ts";
import { countText } from "../invariants/text.ts";
import { RECORDING_BYTES } from "../live/recording.ts";
import { EXPORT_FORMATS, exportText } from "../report/exports/formats.ts";
import type { RunData } from "../report/run-data.ts";
import { readLines, type SearchData, searchDataOf } from "../report/search-data.ts";
import { readText } from "../scenario/files.ts";
import { failureLines } from "./campaign/report.ts";
import { type Args, type Command, EXIT, textOf, UsageError } from "./command.ts";
import { pathDataIn } from "./explore/report.ts";
import { isScenario } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import {
  ALLOW_COMMANDS_OPTION,
  JSON_OPTION,
  NODE_OPTION,
  nodesOption,
  textArgument,
  textOption,
  wholeNumber,
} from "./options.ts";
import { jsonLine } from "./output.ts";
import { REPORT_EVENTS, recordingData, runDataIn, writeReport } from "./report-file.ts";
import { versions } from "./reproduce.ts";

const EVENTS_MOST = 2_000_000;

export const reportCommand: Command = {
  examples: [
    ["$0 report split-votes.yaml", "write report.html, which any browser opens"],
    ["$0 report small.yaml --seed 7 --out small.html", "the run of seed 7"],
    ["$0 report network.ndjson", "what happened on a served network"],
    ["$0 report reports/explore/mine-agreement.json", "the path to a violation that explore has found"],
    ["$0 fuzz --seeds 500 --json > fuzz.ndjson; $0 report fuzz.ndjson", "coverage, failures and rate of a campaign"],
    ["$0 report reports/hunt.json", "how soon fuzz detects each known-bad variant"],
    ["$0 report small.yaml --format mermaid", "a sequence diagram to paste into an issue"],
    ["$0 report small.yaml --json > small.json", "its data alone, for a program of your own"],
  ],
  positionals: {
    run: textArgument(
      "a scenario file, a recording of serve, a path that explore has saved, lines of fuzz, campaign results or hunt --json, a campaign's results.ndjson or a hunt.json",
    ),
  },
  options: {
    seed: textOption("seed of the run; default: that of the file, else 1"),
    out: textOption("name of the file", "report.html"),
    format: {
      ...textOption("print a run for another tool, and write no page: trace events, diagram, latencies, states"),
      choices: EXPORT_FORMATS,
    },
    node: NODE_OPTION,
    "allow-commands": ALLOW_COMMANDS_OPTION,
    events: textOption("most events that it holds", REPORT_EVENTS),
    json: { ...JSON_OPTION, description: "print the data of the report as one line of JSON, and write no file" },
  },
  run: async (args, io) => {
    const data = await dataIn(args, io);
    if (data === undefined) return EXIT.usage;
    const format = EXPORT_FORMATS.find((name) => name === textOf(args, "format"));
    if (format !== undefined) {
      if (data.type !== "quorumlab run") throw new UsageError("--format: only a run is printed for other tools");
      io.out(exportText(data, format));
    } else if (args["json"] === true) io.out(`${JSON.stringify(data)}\n`);
    else print(data, writeReport(data, textOf(args, "out") ?? "report.html"), io);
    return EXIT.expected;
  },
};

/** Reports problems and returns `undefined`. @throws UsageError for options and files that do not fit. */
async function dataIn(args: Args, io: Io): Promise<RunData | SearchData | undefined> {
  const path = textOf(args, "run") ?? "";
  const most = wholeNumber(args, "events", 1, EVENTS_MOST) ?? REPORT_EVENTS;
  const seed = textOf(args, "seed");
  if (isScenario(path)) return runDataIn({ path, seed, nodes: nodesOption(args) }, most, io);
  if (seed !== undefined)
    throw new UsageError("--seed: a recording has its own; only scenario files run under another one");
  const text = readText(path, RECORDING_BYTES);
  if (!text.ok) throw new UsageError(`${path}: ${text.error.message}`);
  if (/^\s*\{\s*"type":\s*"explored path"/.test(text.value)) return pathDataIn(path, text.value, most);
  return text.value.startsWith('{"type":"recording"')
    ? recordingData(path, text.value, most, io)
    : searchDataIn(path, text.value);
}

function print(data: RunData | SearchData, address: string, io: Io): void {
  const paint = painterFor(io);
  io.out(`${resultText(data, paint)}\n${paint("dim", "open:")} ${address}\n`);
}

function resultText(data: RunData | SearchData, paint: ReturnType<typeof painterFor>): string {
  switch (data.type) {
    case "quorumlab run": {
      const { title, events, end } = data;
      return `${paint(end.verdict === "pass" ? "good" : "bad", end.verdict)}  ${title}, ${countText(events.length, "event")}`;
    }
    case "quorumlab campaign":
      return `${data.title}: ${countText(data.runs, "run")}, ${paint(data.failed > 0 ? "bad" : "good", `${data.failed} failed`)}`;
    case "quorumlab hunt":
      return `${data.title}: ${data.bugs.filter(({ found }) => found).length} of ${data.bugs.length} variants found`;
  }
}

/** Returns the data of a file with this text. @throws UsageError for anything else */
async function searchDataIn(path: string, text: string): Promise<SearchData> {
  const about = { title: basename(path), versions: versions() };
  try {
    const data = searchDataOf(isResults(text) ? await linesOfResults(path, text) : text, about);
    if (data.ok) return data.value;
    throw new UsageError(`${path}: ${data.error}`);
  } catch (error) {
    throw error instanceof MalformedCampaign ? new UsageError(error.message) : error;
  }
}

/** True for the file in which a campaign keeps its results: each row names its job. */
function isResults(text: string): boolean {
  const first = readLines(text.slice(0, text.indexOf("\n") + 1));
  return first.ok && typeof first.value[0]?.["job"] === "string";
}

/**
 * Returns what `campaign results --json` prints of results. The plan beside them knows how to repeat a seed.
 * @throws MalformedCampaign for a row or a plan that no campaign writes
 */
async function linesOfResults(path: string, text: string): Promise<string> {
  const totals = totalsOf(resultsIn(wholeLines(text), path));
  const { findings, reached: _, errors: __, ...sums } = totals.summary();
  const plan = await new EmbeddedQueue(dirname(path)).plan();
  const lines = [...failureLines(findings, plan), ...totals.lines(), { type: "summary", ...sums }];
  return lines.map(jsonLine).join("");
}
