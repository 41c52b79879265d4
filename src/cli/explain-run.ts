/** `quorumlab explain` of a file: the narrative of its run. */

import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { type Narrative, narrativeOf, narrativeOfRecording } from "../report/narrative.ts";
import { narrativeText } from "../report/narrative-text.ts";
import { painter } from "../report/paint.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Args, textOf } from "./command.ts";
import { shellQuoted } from "./commands.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { isScenario } from "./replay-saved.ts";
import { recordingIn, savedFacts, scenarioIn } from "./saved-run.ts";

/** Default number of lines of a narrative. */
export const NARRATIVE_LINES = 120;
const LINES_MOST = 999_999_999;

/** Returns true for the name of a scenario or recording file. */
export function isRun(path: string): boolean {
  return isScenario(path) || /\.ndjson$/i.test(path);
}

/**
 * Runs a scenario file, with the seed saved beside it unless another one is given, or replays the recording of a served
 * network, and prints the narrative.
 */
export function explainRun(path: string, args: Args, io: Io): ExitCode {
  const story = isScenario(path) ? storyOfFile(path, args, io) : storyOfServed(path, io);
  if (story === undefined) return EXIT.usage;
  const { lines, after, end } = story;
  if (args["json"] === true) {
    for (const { at, text, isBreach } of lines)
      io.out(`${JSON.stringify({ type: "story", at, text, breach: isBreach })}\n`);
    const { verdict, reason, hash } = end;
    io.out(`${JSON.stringify({ type: "end", run: path, verdict, reason, hash, after })}\n`);
    return EXIT.expected;
  }
  const most = wholeNumber(args, "lines", 1, LINES_MOST) ?? NARRATIVE_LINES;
  const seed = textOf(args, "seed");
  const again = `quorumlab explain ${shellQuoted(path)}${seed === undefined ? "" : ` --seed ${shellQuoted(seed)}`}`;
  io.out(narrativeText(story, most, `${again} --lines ${lines.length}`, painter(wantsColours(io))));
  return EXIT.expected;
}

function storyOfFile(path: string, args: Args, io: Io): Narrative | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? DEFAULT_SEED;
  return scenario && narrativeOf(scenario, seed);
}

function storyOfServed(path: string, io: Io): Narrative | undefined {
  const recording = recordingIn(path, io);
  return recording && narrativeOfRecording(recording, secp256k1);
}
