/** `quorumlab shrink`: the smallest scenario with the same violation, as a file and as a test. */
import { writeFileSync } from "node:fs";
import { createParser, type ScenarioParser } from "../../harness/parse.ts";
import type { Scenario } from "../../harness/scenario.ts";
import { SHRINK_RUNS } from "../../harness/shrink/limits.ts";
import { type Shrunk, shrink } from "../../harness/shrink/shrink.ts";
import { nearestPassing, type Search } from "../../harness/shrink/sibling.ts";
import { painter } from "../../report/paint.ts";
import { Attended } from "../attended.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, PROGRESS_OPTION, QUIET_OPTION } from "../options.ts";
import { createProgress, type Progress } from "../progress.ts";
import { savedFacts, scenarioIn } from "../saved-run.ts";
import { demanding } from "./demanding.ts";
import { passingFile, runsAgain, shrunkFiles, siblingWords } from "./shrunk-files.ts";

export const shrinkCommand: Command = {
  usage: "shrink <file>",
  description: "the smallest scenario with the same violation, written as a scenario file and as a test",
  examples: [
    [
      "$0 shrink reports/fuzz/agreement-account-7.yaml",
      "a failure that fuzz saved, under the seed that it was saved with",
    ],
    ["$0 shrink mine.yaml --seed 3 --out small.yaml", "any scenario that fails"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("file", { type: "string", demandOption: true, description: "a scenario file that fails" })
      .option(
        "seed",
        fromEnv(env, "seed", {
          type: "string",
          requiresArg: true,
          description: "the seed under which it fails; default: the one that it was saved with, else 1",
        }),
      )
      .option(
        "out",
        fromEnv(env, "out", {
          type: "string",
          requiresArg: true,
          description: "the file to write; default: <file>.min.yaml",
        }),
      )
      .option(
        "runs",
        fromEnv(env, "runs", {
          type: "string",
          requiresArg: true,
          default: String(SHRINK_RUNS),
          description: "the most runs to make",
        }),
      )
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: shrinkFile,
};

type Args = Readonly<Record<string, unknown>>;

async function shrinkFile(args: Args, io: Io): Promise<ExitCode> {
  const path = textOf(args, "file") ?? "";
  const parser = createParser();
  const read = scenarioIn(path, parser, io);
  if (read === undefined) return EXIT.usage;
  const seed = textOf(args, "seed") ?? savedFacts(path).seed ?? "1";
  const runs = runsOf(textOf(args, "runs"));
  const progress = createProgress(io, args["quiet"] === true ? "none" : (textOf(args, "progress") ?? "auto"));
  const scenario = demanding(read);
  const means = { parser, runs, io, progress };
  const { shrunk, search, isInterrupted } = await run(scenario, seed, means);
  progress.done();
  if (shrunk === undefined) {
    if (isInterrupted) return EXIT.interrupted;
    io.err(`${path}: it does not fail under seed ${seed}, so there is nothing to shrink\n`);
    return EXIT.failed;
  }
  const out = textOf(args, "out") ?? `${path.replace(/\.ya?ml$/i, "")}.min.yaml`;
  const files = shrunkFiles(shrunk, search, { out, from: path, seed });
  for (const [name, text] of files) writeFileSync(name, text);
  const names = files.map(([name]) => name);
  tell(shrunk, search, { out, names, before: scenario.steps?.length ?? 0, path }, args, io);
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

/** Shrinks, and looks for the nearest scenario that passes; with what it has where somebody stops it. */
async function run(scenario: Scenario, seed: string, { parser, runs, io, progress }: Means): Promise<Found> {
  const heard = (steps: number, left: number): void => progress.at(runs - left, runs, `${steps} steps left`);
  const attended = new Attended(io);
  const shrunk = await attended.finish(shrink({ scenario, seed }, { parser, runs, heard }));
  const isOver = shrunk === undefined || attended.isInterrupted;
  const search = isOver ? { sibling: undefined, runs: 0 } : await attended.finish(nearestPassing(shrunk, parser));
  return { shrunk, search, isInterrupted: attended.isInterrupted };
}

function runsOf(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--runs: expected a whole number from 1 to 9999999, got "${text ?? ""}"`);
}

interface Written {
  readonly out: string;
  readonly names: readonly string[];
  readonly before: number;
  readonly path: string;
}

function tell(shrunk: Shrunk, search: Search, { out, names, before, path }: Written, args: Args, io: Io): void {
  const { scenario, seed, place, result, runs, isSmallest } = shrunk;
  const steps = scenario.steps?.length ?? 0;
  const replay = runsAgain(out, seed);
  if (args["json"] === true) {
    const { verdict, reason } = result;
    const found = {
      seed,
      invariant: place.invariant,
      verdict,
      reason,
      steps,
      steps_before: before,
      runs,
      smallest: isSmallest,
    };
    const { sibling, runs: tried } = search;
    const nearest = sibling && { file: passingFile(out), change: sibling.change, when: sibling.difference.words };
    const passing = nearest ?? null;
    io.out(`${JSON.stringify({ type: "shrunk", from: path, file: out, ...found, passing, tried, replay })}\n`);
    return;
  }
  if (args["quiet"] === true) return;
  const paint = painter(wantsColours(io));
  const end = isSmallest ? "nothing more goes" : "there may be smaller ones";
  io.out(`${paint("bad", place.invariant)}: ${steps} of ${before} steps are left after ${runs} runs; ${end}\n`);
  io.out(`${result.reason.split("\n")[0] ?? ""}\n`);
  for (const line of siblingWords(search)) io.out(`${line}\n`);
  io.out(`${paint("dim", "wrote:")} ${names.join(", ")}\n${paint("dim", "again:")} ${replay}\n`);
}
