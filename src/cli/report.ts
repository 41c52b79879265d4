/** `quorumlab report`: a run as one HTML file, with diagram, time travel, narrative and measures. */
import { EXPORT_FORMATS, exportText } from "../report/exports/formats.ts";
import type { RunData } from "../report/run-data.ts";
import { type Command, EXIT, textOf, UsageError } from "./command.ts";
import { isScenario } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { JSON_OPTION, textArgument, textOption, wholeNumber } from "./options.ts";
import { REPORT_EVENTS, recordingData, runDataIn, writeReport } from "./report-file.ts";

const EVENTS_MOST = 2_000_000;

export const reportCommand: Command = {
  examples: [
    ["$0 report split-votes.yaml", "write report.html, which any browser opens"],
    ["$0 report small.yaml --seed 7 --out small.html", "the run of seed 7"],
    ["$0 report network.ndjson", "what happened on a served network"],
    ["$0 report small.yaml --format mermaid", "a sequence diagram to paste into an issue"],
    ["$0 report small.yaml --json > small.json", "its data alone, for a program of your own"],
  ],
  positionals: { run: textArgument("a scenario file, or a recording of serve") },
  options: {
    seed: textOption("of the run; default: its saved seed, else 1"),
    out: textOption("name of the file", "report.html"),
    format: {
      ...textOption("print it for another tool, and write no page: trace events, log, diagram, latencies"),
      choices: EXPORT_FORMATS,
    },
    events: textOption("most events that it holds", REPORT_EVENTS),
    json: { ...JSON_OPTION, description: "print the data of the report as one line of JSON, and write no file" },
  },
  run: async (args, io) => {
    const path = textOf(args, "run") ?? "";
    const most = wholeNumber(args, "events", 1, EVENTS_MOST) ?? REPORT_EVENTS;
    const seed = textOf(args, "seed");
    if (seed !== undefined && !isScenario(path))
      throw new UsageError("--seed: a recording has its own; only scenario files run under another one");
    const data = isScenario(path) ? runDataIn({ path, seed }, most, io) : recordingData(path, most, io);
    if (data === undefined) return EXIT.usage;
    const format = EXPORT_FORMATS.find((name) => name === textOf(args, "format"));
    if (format !== undefined) io.out(exportText(data, format));
    else if (args["json"] === true) io.out(`${JSON.stringify(data)}\n`);
    else print(data, writeReport(data, textOf(args, "out") ?? "report.html"), io);
    return EXIT.expected;
  },
};

function print({ title, events, end: { verdict } }: RunData, address: string, io: Io): void {
  const paint = painterFor(io);
  io.out(`${paint(verdict === "pass" ? "good" : "bad", verdict)}  ${title}, ${events.length} events\n`);
  io.out(`${paint("dim", "open:")} ${address}\n`);
}
