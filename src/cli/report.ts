/** `quorumlab report`: a run as one HTML file, with diagram, time travel, narrative and plots. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pageAssets, pageHtml } from "../report/page-file.ts";
import { type RunData, runDataOf } from "../report/run-data.ts";
import { readText } from "../scenario/files.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Command, EXIT, textOf, UsageError } from "./command.ts";
import { isScenario, savedFacts, scenarioIn, writeInFolder } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { JSON_OPTION, textArgument, textOption, wholeNumber } from "./options.ts";
import { explainCommandLine, reproduceCommandLine, versions } from "./reproduce.ts";

/** Events of a report by default: about 3 MB of file, which a browser shows without delay. */
const EVENTS_DEFAULT = 200_000;
const EVENTS_MOST = 2_000_000;

export const reportCommand: Command = {
  examples: [
    ["$0 report scenarios/attacks/split-votes.yaml", "write report.html, and open it in any browser"],
    ["$0 report small.yaml --seed 7 --out small.html", "the run of seed 7"],
    ["$0 report small.yaml --json > small.json", "its data alone, for a program of your own"],
  ],
  positionals: { run: textArgument("a scenario file") },
  options: {
    seed: textOption("of the run; default: its saved seed, else 1"),
    out: textOption("name of the file", "report.html"),
    events: textOption("most events that it holds", EVENTS_DEFAULT),
    json: { ...JSON_OPTION, description: "print the data of the report as one line of JSON, and write no file" },
  },
  run: async (args, io) => {
    const path = textOf(args, "run") ?? "";
    if (!isScenario(path)) throw new UsageError(`expected a scenario file (.yaml), got "${path}"`);
    const most = wholeNumber(args, "events", 1, EVENTS_MOST) ?? EVENTS_DEFAULT;
    const data = dataOfFile(path, textOf(args, "seed"), most, io);
    if (data === undefined) return EXIT.usage;
    if (args["json"] === true) io.out(`${JSON.stringify(data)}\n`);
    else printReport(data, textOf(args, "out") ?? "report.html", io);
    return EXIT.expected;
  },
};

function dataOfFile(path: string, given: string | undefined, most: number, io: Io): RunData | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  const text = readText(path);
  if (scenario === undefined || !text.ok) return undefined;
  const seed = given ?? savedFacts(path).seed ?? DEFAULT_SEED;
  const commands = [reproduceCommandLine(path, seed), explainCommandLine(path, seed)];
  return runDataOf(scenario, { seed, text: text.value, commands, versions: versions(), most });
}

function printReport(data: RunData, out: string, io: Io): void {
  writeReport(data, out);
  const paint = painterFor(io);
  const { verdict } = data.end;
  io.out(`${paint(verdict === "pass" ? "good" : "bad", verdict)}  ${data.title}, ${data.events.length} events\n`);
  io.out(`${paint("dim", "open:")} ${pathToFileURL(resolve(out)).href}\n`);
}

/** Writes the report of a run. */
export function writeReport(data: RunData, out: string): void {
  writeInFolder(out, pageHtml(`${data.title} · ${data.end.verdict}`, data, pageAssets(builtPage())));
}

/** Folder of the built page, beside the command. */
function builtPage(): URL {
  return new URL("../page/", import.meta.url);
}
