/** `quorumlab explain` of a file: the narrative of its run. */

import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { painter } from "../report/paint.ts";
import { type Story, storyOf, storyOfRecording } from "../report/story.ts";
import { storyText } from "../report/story-text.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Args, textOf } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { quoted } from "./quoted.ts";
import { isScenario } from "./replay-saved.ts";
import { recordingIn, savedFacts, scenarioIn } from "./saved-run.ts";
import { wholeOf } from "./whole.ts";

/** Default number of lines of a narrative. */
export const STORY_LINES = 120;
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
  const most = wholeOf(args, "lines", 1, LINES_MOST) ?? STORY_LINES;
  const seed = textOf(args, "seed");
  const again = `quorumlab explain ${quoted(path)}${seed === undefined ? "" : ` --seed ${quoted(seed)}`}`;
  io.out(storyText(story, most, `${again} --lines ${lines.length}`, painter(wantsColours(io))));
  return EXIT.expected;
}

function storyOfFile(path: string, args: Args, io: Io): Story | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? DEFAULT_SEED;
  return scenario && storyOf(scenario, seed);
}

function storyOfServed(path: string, io: Io): Story | undefined {
  const recording = recordingIn(path, io);
  return recording && storyOfRecording(recording, secp256k1);
}
