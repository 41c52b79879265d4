/** `quorumlab explain`: the meaning of a refusal code, an invariant or a coverage point, or the narrative of a run. */

import { realScheme } from "../backends/secp256k1.ts";
import { explain, explainable, explanationText } from "../report/explain.ts";
import { type Narrative, narrativeOf, narrativeOfRecording } from "../report/narrative.ts";
import { narrativeText } from "../report/narrative-text.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, UsageError } from "./command.ts";
import { isScenario, recordingIn, savedFacts, scenarioIn } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { JSON_OPTION, textArgument, textOption, wholeNumber } from "./options.ts";
import { jsonLine } from "./output.ts";
import { shellQuoted } from "./reproduce.ts";

/** Default number of lines of a narrative. */
const NARRATIVE_LINES = 120;
const LINES_MOST = 999_999_999;

export const explainCommand: Command = {
  examples: [
    ["$0 explain business_nonce_gap", "a refusal code: its rule, HTTP status and section"],
    ["$0 explain agreement", "an invariant"],
    ["$0 explain reports/fuzz/agreement-account-1.yaml", "a run: its narrative up to the first violation"],
  ],
  positionals: {
    what: textArgument(
      "the name of a code, invariant or coverage point, a scenario file, or a recording of serve (.ndjson)",
    ),
  },
  options: {
    seed: textOption("of a run; default: its saved seed, else 1"),
    lines: textOption("of a run: number of its last lines", NARRATIVE_LINES),
    json: JSON_OPTION,
  },
  run: async (args, io) => {
    const what = textOf(args, "what") ?? "";
    if (isRun(what)) return explainRun(what, args, io);
    const found = explain(what);
    if ("closest" in found) {
      const hint =
        found.closest === undefined ? `known are: ${explainable().join(", ")}` : `did you mean "${found.closest}"?`;
      throw new UsageError(`unknown name "${what}"; ${hint}`);
    }
    const { kind, name, sentence, section, more } = found;
    const line = {
      type: "explain",
      kind,
      name,
      sentence,
      section,
      ...Object.fromEntries(more.map(([label, text]) => [label.replaceAll(" ", "_").toLowerCase(), text])),
    };
    io.out(args["json"] === true ? jsonLine(line) : explanationText(found, painterFor(io)));
    return EXIT.expected;
  },
};

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
  const again = `quorumlab explain ${shellQuoted(path)}${seed === undefined ? "" : ` --seed ${shellQuoted(seed)}`}`;
  io.out(narrativeText(narrative, most, `${again} --lines ${lines.length}`, painterFor(io)));
  return EXIT.expected;
}

function narrativeOfFile(path: string, args: Args, io: Io): Narrative | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? DEFAULT_SEED;
  return scenario && narrativeOf(scenario, seed);
}

function narrativeOfServed(path: string, io: Io): Narrative | undefined {
  const recording = recordingIn(path, io);
  return recording && narrativeOfRecording(recording, realScheme());
}
