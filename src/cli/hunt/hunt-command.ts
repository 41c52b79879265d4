/** `quorumlab hunt`: measures how many seeds it takes to detect each known-bad variant. */
import type { Score } from "../../search/hunt/score.ts";
import type { Args, Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { withOptions } from "../options.ts";
import { outputOf } from "../output.ts";
import { versions } from "../version.ts";
import { saveMatrix } from "./hunt-files.ts";
import { huntLines, type Row } from "./hunt-lines.ts";
import { HUNT_OPTIONS, huntOptions } from "./hunt-options.ts";
import { huntText } from "./hunt-text.ts";
import { searchVariants } from "./search-variants.ts";
import { shrinkFindings } from "./shrink-findings.ts";

export const huntCommand: Command = {
  usage: "hunt [bugs..]",
  description: "measure how many seeds it takes to detect each known-bad variant",
  examples: [
    ["$0 hunt", "all variants; the matrix is saved in reports/hunt.json"],
    ["$0 hunt hidden-locks late-commit --repeats 20", "two variants, measured more precisely"],
    ["$0 hunt hidden-locks --confidence", "how many clean runs show that this bug is fixed"],
  ],
  build: (yargs, env) =>
    withOptions(
      yargs.positional("bugs", { type: "string", array: true, description: "variants by name; default: all" }),
      env,
      HUNT_OPTIONS,
    ),
  run: hunt,
};

async function hunt(args: Args, io: Io): Promise<ExitCode> {
  const options = huntOptions(args);
  const output = outputOf(args, io);
  const start = io.now();
  const hunting = { options, io, progress: output.progress };
  const hunted = await searchVariants(hunting);
  if (hunted === undefined) return EXIT.interrupted;
  const { scores, selfCheckFailures: dishonesty } = hunted;
  const shrunk = await shrinkFindings(scores, hunting);
  output.progress.done();
  if (shrunk === undefined) return EXIT.interrupted;
  const rows = scores.map((score, place): Row => ({ score, replay: replayOf(score), shrunk: shrunk[place] }));
  const matrix = saveMatrix(options, rows, { dishonesty, versions: versions() });
  const report = { rows, dishonesty, confidence: options.confidence, matrix, wallMs: io.now() - start };
  io.out(output.json ? huntLines(report) : huntText(report, output));
  return rows.every(({ score }) => score.isFound) && dishonesty.length === 0 ? EXIT.expected : EXIT.failed;
}

function replayOf({ bug, strategy, first }: Score): string | undefined {
  if (first === undefined) return undefined;
  return `quorumlab fuzz --bug ${bug.name} --seed ${first.seed} --seeds 1 --profile ${strategy.profile}`;
}
