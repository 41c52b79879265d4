/** `quorumlab shrink`: minimizes a failing scenario and writes it as a file and a test. */

import { writeFileSync } from "node:fs";
import type { Options } from "yargs";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import { createParser, type ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { SHRINK_RUNS } from "../../search/shrink/limits.ts";
import { type Shrunk, shrink } from "../../search/shrink/shrink.ts";
import { nearestPassing, type Search } from "../../search/shrink/sibling.ts";
import { Attended } from "../attended.ts";
import { type Args, type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { JSON_OPTION, PROGRESS_OPTION, QUIET_OPTION, textOption, withOptions } from "../options.ts";
import { outputOf } from "../output.ts";
import type { Progress } from "../progress.ts";
import { savedFacts, scenarioIn } from "../saved-run.ts";
import { countOf } from "../whole.ts";
import { demanding } from "./demanding.ts";
import { RUNS_DIGITS } from "./limits.ts";
import { shrunkLine, shrunkText } from "./shrink-tell.ts";
import { shrunkFiles } from "./shrunk-files.ts";

/** Options in the order of the help text. */
const OPTIONS: Readonly<Record<string, Options>> = {
  seed: textOption("seed under which it fails; default: the seed that it was saved with, else 1"),
  out: textOption("file to write; default: <file>.min.yaml"),
  runs: textOption("limit of runs", SHRINK_RUNS),
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export const shrinkCommand: Command = {
  usage: "shrink <file>",
  description: "minimize a failing scenario, and write it as a scenario file and as a test",
  examples: [
    ["$0 shrink reports/fuzz/agreement-account-7.yaml", "a failure saved by fuzz, with its seed"],
    ["$0 shrink mine.yaml --seed 3 --out small.yaml", "any failing scenario"],
  ],
  build: (yargs, env) =>
    withOptions(
      yargs.positional("file", { type: "string", demandOption: true, description: "failing scenario file" }),
      env,
      OPTIONS,
    ),
  run: shrinkFile,
};

async function shrinkFile(args: Args, io: Io): Promise<ExitCode> {
  const path = textOf(args, "file") ?? "";
  const parser = createParser();
  const read = scenarioIn(path, parser, io);
  if (read === undefined) return EXIT.usage;
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? DEFAULT_SEED;
  const runs = countOf(args, "runs", RUNS_DIGITS);
  const output = outputOf(args, io);
  const scenario = demanding(read);
  const means = { parser, runs, io, progress: output.progress };
  const { shrunk, search, isInterrupted } = await run(scenario, seed, means);
  output.progress.done();
  if (shrunk === undefined) {
    if (isInterrupted) return EXIT.interrupted;
    io.err(`${path}: it does not fail under seed ${seed}, so there is nothing to shrink\n`);
    return EXIT.failed;
  }
  const out = textOf(args, "out") ?? `${path.replace(/\.ya?ml$/i, "")}.min.yaml`;
  const files = shrunkFiles(shrunk, search, { out, from: path, seed });
  for (const [name, text] of files) writeFileSync(name, text);
  const names = files.map(([name]) => name);
  const told = { shrunk, search, out, names, before: scenario.steps?.length ?? 0, path };
  if (output.json) io.out(shrunkLine(told));
  else if (!output.quiet) io.out(shrunkText(told, output.paint));
  return isInterrupted ? EXIT.interrupted : EXIT.expected;
}

interface Means {
  readonly parser: ScenarioParser;
  readonly runs: number;
  readonly io: Io;
  readonly progress: Progress;
}

interface Found {
  readonly shrunk: Shrunk | undefined;
  readonly search: Search;
  readonly isInterrupted: boolean;
}

/** Minimizes, then searches the nearest passing scenario; if interrupted, returns the results so far. */
async function run(scenario: Scenario, seed: string, { parser, runs, io, progress }: Means): Promise<Found> {
  const heard = (steps: number, left: number): void => progress.at(runs - left, runs, `${steps} steps left`);
  const attended = new Attended(io);
  const shrunk = await attended.finish(shrink({ scenario, seed }, { parser, runs, heard }));
  const isOver = shrunk === undefined || attended.isInterrupted;
  const search = isOver ? { sibling: undefined, runs: 0 } : await attended.finish(nearestPassing(shrunk, parser));
  return { shrunk, search, isInterrupted: attended.isInterrupted };
}
