/** `quorumlab explain` of a scenario file: its run in sentences. */
import { DEFAULT_SEED } from "../harness/limits.ts";
import { createParser } from "../harness/parse.ts";
import { storyOf } from "../harness/story/story.ts";
import { painter } from "../report/paint.ts";
import { storyText } from "../report/story-text.ts";
import { type Args, textOf } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { explains } from "./quoted.ts";
import { savedFacts, scenarioIn } from "./saved-run.ts";
import { wholeOf } from "./whole.ts";

/** Lines of a story that are shown unless somebody asks for more. */
export const STORY_LINES = 120;
const LINES_MOST = 999_999_999;

/** Runs the file, under the seed that was saved beside it unless another one is asked for, and tells what happened. */
export function explainRun(path: string, args: Args, io: Io): ExitCode {
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return EXIT.usage;
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? DEFAULT_SEED;
  const story = storyOf(scenario, seed);
  if (args["json"] === true) {
    const { lines, after, result } = story;
    for (const { at, text, isBreach } of lines)
      io.out(`${JSON.stringify({ type: "story", at, text, breach: isBreach })}\n`);
    const { verdict, reason, hash } = result;
    io.out(`${JSON.stringify({ type: "end", scenario: path, seed, verdict, reason, hash, after })}\n`);
    return EXIT.expected;
  }
  const most = wholeOf(args, "lines", 1, LINES_MOST) ?? STORY_LINES;
  const again = `${explains(path, seed)} --lines ${story.lines.length}`;
  io.out(storyText(scenario.name ?? path, story, most, again, painter(wantsColours(io))));
  return EXIT.expected;
}
