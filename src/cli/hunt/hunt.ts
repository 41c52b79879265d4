/** `quorumlab hunt`: measures how many seeds it takes to detect each known-bad variant. */

import { CANARY, CONTROL } from "../../bugs/canary.ts";
import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import { type Score, scoreOf, selfCheckFailures, type TimedSearch } from "../../search/hunt/score.ts";
import type { SearchMethod } from "../../search/hunt/search.ts";
import { type Args, type Command, EXIT, type ExitCode } from "../command.ts";
import type { Io } from "../io.ts";
import { outputOf } from "../output.ts";
import type { Progress } from "../progress.ts";
import { versions } from "../reproduce.ts";
import { doJobs } from "./jobs.ts";
import { HUNT_OPTIONS, type HuntOptions, huntOptions } from "./options.ts";
import { huntLines, huntText, type Row, type ShrunkRow, saveMatrix, saveMinimized } from "./report.ts";

export const huntCommand: Command = {
  examples: [
    ["$0 hunt", "all variants; the matrix is saved in reports/hunt.json"],
    ["$0 hunt hidden-locks late-commit --repeats 20", "two variants, measured more precisely"],
    ["$0 hunt hidden-locks --confidence", "how many clean runs show that this bug is fixed"],
  ],
  positionals: { bugs: { type: "string", array: true, description: "variants by name; default: all" } },
  options: HUNT_OPTIONS,
  run: hunt,
};

async function hunt(args: Args, io: Io): Promise<ExitCode> {
  const options = huntOptions(args);
  const output = outputOf(args, io);
  const start = io.now();
  const hunting = { options, io, progress: output.progress };
  const hunted = await searchVariants(hunting);
  if (hunted === undefined) return EXIT.interrupted;
  const { scores, selfCheckFailures } = hunted;
  const shrunk = await shrinkFindings(scores, hunting);
  output.progress.done();
  if (shrunk === undefined) return EXIT.interrupted;
  const rows = scores.map((score, place): Row => ({ score, replay: replayOf(score), shrunk: shrunk[place] }));
  const matrix = saveMatrix(options, rows, { self_check_failures: selfCheckFailures, versions: versions() });
  const report = { options, rows, selfCheckFailures, matrix, wallMs: io.now() - start };
  io.out(output.json ? huntLines(report) : huntText(report, output));
  return rows.every(({ score }) => score.isFound) && selfCheckFailures.length === 0 ? EXIT.expected : EXIT.failed;
}

function replayOf({ bug, strategy, first }: Score): string | undefined {
  if (first === undefined) return undefined;
  const profile = strategy.profile === "default" ? "" : ` --profile ${strategy.profile}`;
  return `quorumlab fuzz --bug ${bug.name} --seed ${first.seed} --seeds 1${profile}`;
}

/** Request and environment of the search. */
type HuntSearch = Readonly<{ options: HuntOptions; io: Io; progress: Progress }>;

interface Hunted {
  /** Scores of the requested variants in order, search method after search method. */
  readonly scores: readonly Score[];
  /** Failed self-checks; empty if the canary was detected and the control was not. */
  readonly selfCheckFailures: readonly string[];
}

/** Variant with a search method. */
type Pair = Readonly<{ bug: KnownBadVariant; strategy: SearchMethod }>;

/** Searches all ranges of all variants; `undefined` if interrupted. @throws the errors of jobs. */
async function searchVariants(hunting: HuntSearch): Promise<Hunted | undefined> {
  const { strategies, bugs } = hunting.options;
  const pairs = strategies.flatMap((strategy) => [CANARY, CONTROL, ...bugs].map((bug): Pair => ({ bug, strategy })));
  const scores = await scoresOf(pairs, hunting);
  return (
    scores && {
      scores: scores.filter(({ bug }) => bug !== CANARY && bug !== CONTROL),
      selfCheckFailures: strategies.flatMap((strategy) => selfCheckFailuresIn(scores, strategy)),
    }
  );
}

async function scoresOf(
  pairs: readonly Pair[],
  { options, io, progress }: HuntSearch,
): Promise<readonly Score[] | undefined> {
  const { ranges, threads, confidence } = options;
  const jobs = pairs.flatMap(({ bug, strategy }) =>
    ranges.map((range): Job => ({ kind: "search", bug: bug.name, strategy, range, toEnd: confidence })),
  );
  const measured: TimedSearch[] = [];
  const ended = await doJobs(jobs, {
    io,
    threads,
    onResult: ({ answer, wallMs }, place) => {
      if (answer.kind === "searched") measured.push({ ...answer.searched, wallMs });
      progress.at(place + 1, jobs.length, `searched for ${jobs[place]?.bug}`);
    },
  });
  if (ended === "interrupted") return undefined;
  return pairs.map(({ bug, strategy }, place) =>
    scoreOf(bug, strategy, measured.slice(place * ranges.length, (place + 1) * ranges.length)),
  );
}

function selfCheckFailuresIn(scores: readonly Score[], strategy: SearchMethod): readonly string[] {
  const of = (bug: KnownBadVariant): Score | undefined =>
    scores.find((score) => score.bug === bug && score.strategy === strategy);
  const [canary, control] = [of(CANARY), of(CONTROL)];
  return canary === undefined || control === undefined
    ? ["canary or control has no score"]
    : selfCheckFailures(canary, control);
}

/** Returns the results in the order of the scores; `undefined` as a whole if interrupted. */
async function shrinkFindings(
  scores: readonly Score[],
  { options, io, progress }: HuntSearch,
): Promise<readonly (ShrunkRow | undefined)[] | undefined> {
  const { shrinkRuns, threads, out } = options;
  const rows: (ShrunkRow | undefined)[] = scores.map(() => undefined);
  if (shrinkRuns === 0) return rows;
  const places: number[] = [];
  const jobs = scores.flatMap(({ bug, strategy, first }, place): readonly Job[] => {
    if (first === undefined) return [];
    places.push(place);
    const { seed, detection } = first;
    return [{ kind: "shrink", bug: bug.name, strategy, seed, signature: detection.signature, runs: shrinkRuns }];
  });
  const ended = await doJobs(jobs, {
    io,
    threads,
    onResult: ({ answer }, at) => {
      const place = places[at];
      const score = place === undefined ? undefined : scores[place];
      if (place !== undefined && score !== undefined && answer.kind === "shrunk" && answer.small !== undefined)
        rows[place] = saveMinimized(out, score, answer.small);
      progress.at(at + 1, jobs.length, `minimized ${jobs[at]?.bug}`);
    },
  });
  return ended === "interrupted" ? undefined : rows;
}
