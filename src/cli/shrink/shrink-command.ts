/** `quorumlab shrink`: minimizes a failing scenario and writes it as a file and a test. */

import { writeFileSync } from "node:fs";
import type { Options } from "yargs";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import { createParser, type ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { SHRINK_RUNS } from "../../search/shrink/limits.ts";
import { type NearestSearch, nearestPassing } from "../../search/shrink/nearest-passing.ts";
import { type Shrunk, shrink } from "../../search/shrink/shrink.ts";
import { type Args, type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { InterruptibleWork } from "../interruptible.ts";
import type { Io } from "../io.ts";
import { countIn } from "../numbers.ts";
import { JSON_OPTION, PROGRESS_OPTION, QUIET_OPTION, textOption, withOptions } from "../options.ts";
import { outputOf } from "../output.ts";
import type { Progress } from "../progress.ts";
import { savedFacts, scenarioIn } from "../saved-run.ts";
import { RUNS_DIGITS } from "./limits.ts";
import { shrinkLine, shrinkText } from "./shrink-report.ts";
import { shrunkFiles } from "./shrunk-files.ts";
import { withoutExpectedViolation } from "./without-expected-violation.ts";

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
  const runs = countIn(args, "runs", RUNS_DIGITS);
  const output = outputOf(args, io);
  const scenario = withoutExpectedViolation(read);
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
  const report = { shrunk, search, out, names, before: scenario.steps?.length ?? 0, path };
  if (output.json) io.out(shrinkLine(report));
  else if (!output.quiet) io.out(shrinkText(report, output.paint));
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
  readonly search: NearestSearch;
  readonly isInterrupted: boolean;
}

/** Minimizes, then searches the nearest passing scenario; if interrupted, returns the results so far. */
async function run(scenario: Scenario, seed: string, { parser, runs, io, progress }: Means): Promise<Found> {
  const heard = (steps: number, left: number): void => progress.at(runs - left, runs, `${steps} steps left`);
  const work = new InterruptibleWork(io);
  const shrunk = await work.finish(shrink({ scenario, seed }, { parser, runs, onProgress: heard }));
  const isOver = shrunk === undefined || work.isInterrupted;
  const search = isOver ? { nearest: undefined, runs: 0 } : await work.finish(nearestPassing(shrunk, parser));
  return { shrunk, search, isInterrupted: work.isInterrupted };
}
