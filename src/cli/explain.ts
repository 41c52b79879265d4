/** `quorumlab explain`: the meaning of a name, the names of a kind, or the narrative of a run. */

import { realScheme } from "../backends/secp256k1.ts";
import { alignColumns } from "../report/columns.ts";
import { type Explanation, explain, explanations, explanationText } from "../report/explain.ts";
import { type Narrative, narrativeOf, narrativeOfRecording, narrativeText } from "../report/narrative.ts";
import type { Paint } from "../report/paint.ts";
import { listFirst } from "../schema/problem.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, UsageError } from "./command.ts";
import { isScenario, recordingIn, scenarioRunIn } from "./files.ts";
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
import { nodesText, quoteForShell } from "./reproduce.ts";

/** Default number of lines of a narrative. */
const NARRATIVE_LINES = 120;
const LINES_MOST = 999_999_999;
/** Names that the table of kinds shows of each kind. */
const NAMES_SHOWN = 3;

export const explainCommand: Command = {
  examples: [
    ["$0 explain business_nonce_gap", "a refusal code: its rule, HTTP status and section"],
    ["$0 explain double-vote", "a Byzantine strategy, with an example"],
    ["$0 explain", "the kinds of names that it explains"],
    ["$0 explain verb", "all names of a kind"],
    ["$0 explain reports/fuzz/agreement-account-1.yaml", "a run: its narrative up to the first violation"],
  ],
  positionals: {
    what: textArgument(
      "a name, a kind of names, a scenario file, or a recording of serve (.ndjson); none: the kinds of names",
    ),
  },
  options: {
    seed: textOption("of a run; default: its saved seed, else 1"),
    lines: textOption("of a run: number of its last lines", NARRATIVE_LINES),
    node: NODE_OPTION,
    "allow-commands": ALLOW_COMMANDS_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, io) => {
    const what = textOf(args, "what");
    if (what !== undefined && isRun(what)) return explainRun(what, args, io);
    const json = args["json"] === true;
    if (what === undefined) io.out(json ? kindLines() : kindTable());
    else {
      const ofKind = new Map<string, readonly Explanation[]>(explanations()).get(what);
      if (ofKind !== undefined) io.out(json ? explanationLines(ofKind) : nameTable(ofKind));
      else io.out(explainName(what, json, painterFor(io)));
    }
    return EXIT.expected;
  },
};

/** @throws UsageError for an unknown name. */
function explainName(name: string, json: boolean, paint: Paint): string {
  const found = explain(name);
  if (!("closest" in found))
    return json ? explanationLines(found) : found.map((explanation) => explanationText(explanation, paint)).join("\n");
  const { closest } = found;
  const hint = closest === undefined ? "quorumlab explain lists the kinds of names" : `did you mean "${closest}"?`;
  throw new UsageError(`unknown name "${name}"; ${hint}`);
}

/** Names of each kind. */
function namesByKind(): readonly (readonly [kind: string, names: readonly string[]])[] {
  return [...explanations()].map(([kind, all]) => [kind, all.map(({ name }) => name)]);
}

function kindLines(): string {
  return namesByKind()
    .map(([kind, names]) => jsonLine({ type: "kind", kind, names }))
    .join("");
}

function kindTable(): string {
  const rows = namesByKind().map(
    ([kind, names]) => `${kind.padEnd(14)}${String(names.length).padStart(4)}  ${listFirst(names, NAMES_SHOWN)}\n`,
  );
  return `${rows.join("")}quorumlab explain <kind> lists the names of a kind, quorumlab explain <name> explains one.\n`;
}

function nameTable(all: readonly Explanation[]): string {
  return `${alignColumns(all.map(({ name, sentence }) => [name, sentence])).join("\n")}\n`;
}

function explanationLines(all: readonly Explanation[]): string {
  return all
    .map(({ kind, name, sentence, section, more }) =>
      jsonLine({
        ...{ type: "explain", kind, name, sentence, section },
        ...Object.fromEntries(more.map(([label, text]) => [label.replaceAll(" ", "_").toLowerCase(), text])),
      }),
    )
    .join("");
}

/** Returns true for the name of a scenario or recording file. */
function isRun(path: string): boolean {
  return isScenario(path) || /\.ndjson$/i.test(path);
}

/**
 * Runs a scenario file, with the seed saved beside it unless another one is given, or replays the recording of a served
 * network, and prints the narrative.
 */
function explainRun(path: string, args: Args, io: Io): ExitCode {
  const narrative = isScenario(path) ? narrativeOfFile(path, args, io) : narrativeOfServed(path, io);
  if (narrative === undefined) return EXIT.usage;
  const { events, lines, after, end } = narrative;
  if (args["json"] === true) {
    for (const { at, text, isBreach } of lines) io.out(jsonLine({ type: "story", at, text, breach: isBreach }));
    for (const event of events) io.out(jsonLine({ type: "event", event }));
    const { verdict, reason, hash } = end;
    io.out(jsonLine({ type: "end", run: path, verdict, reason, hash, after }));
    return EXIT.expected;
  }
  const most = wholeNumber(args, "lines", 1, LINES_MOST) ?? NARRATIVE_LINES;
  const seed = textOf(args, "seed");
  const under = seed === undefined ? "" : ` --seed ${quoteForShell(seed)}`;
  const reproduction = `quorumlab explain ${quoteForShell(path)}${under}${nodesText(nodesOption(args))}`;
  io.out(narrativeText(narrative, most, `${reproduction} --lines ${lines.length}`, painterFor(io)));
  return EXIT.expected;
}

function narrativeOfFile(path: string, args: Args, io: Io): Narrative | undefined {
  const read = scenarioRunIn(path, textOf(args, "seed"), nodesOption(args), io);
  return read && narrativeOf(read.scenario, read.seed, read.programs);
}

function narrativeOfServed(path: string, io: Io): Narrative | undefined {
  const recording = recordingIn(path, io);
  return recording && narrativeOfRecording(recording, realScheme());
}
