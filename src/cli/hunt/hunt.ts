/** `quorumlab hunt`: measures how many seeds it takes to detect each known-bad variant. */

import { CONTROL } from "../../bugs/catalogue.ts";
import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import { type Score, scoreOf, selfCheckFailures } from "../../search/hunt/score.ts";
import { probeJobs, type RangeJob, type ShrinkJob } from "../../search/hunt/search.ts";
import { type Args, type Command, EXIT, type ExitCode } from "../command.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { type JobOf, type ResultOf, runJobs, type SettingsOf, workersFor } from "../jobs/workers.ts";
import { textArgument } from "../options.ts";
import { outputOf, type Progress } from "../output.ts";
import { fromText } from "../reproduce.ts";
import { HUNT_OPTIONS, type HuntOptions, huntOptions } from "./options.ts";
import { huntLines, huntText, type ShrunkRow, saveMatrix, saveMinimized, type VariantRow } from "./report.ts";

export const huntCommand: Command = {
  examples: [
    ["$0 hunt", "all variants; the matrix is saved in reports/hunt.json"],
    ["$0 hunt hidden-locks late-commit --repeats 20", "two variants, measured more precisely"],
    ["$0 hunt hidden-locks --confidence", "how many clean runs show that this bug is fixed"],
  ],
  positionals: { bugs: textArgument("variants by name; default: all") },
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
  output.progress.clear();
  if (shrunk === undefined) return EXIT.interrupted;
  const rows = scores.map(
    (score): VariantRow => ({ score, replay: replayOf(score, options), shrunk: shrunk.get(score) }),
  );
  const matrix = saveMatrix(options, rows, selfCheckFailures);
  const report = { options, rows, selfCheckFailures, matrix, wallMs: io.now() - start };
  io.out(output.json ? huntLines(report) : huntText(report, output));
  return rows.every(({ score }) => score.isFound) && selfCheckFailures.length === 0 ? EXIT.expected : EXIT.failed;
}

function replayOf({ bug, first }: Score, { method, from }: HuntOptions): string | undefined {
  if (first === undefined) return undefined;
  const profile = method.profile === "default" ? "" : ` --profile ${method.profile}`;
  return `quorumlab fuzz --bug ${bug.name} --seed ${first.seed} --seeds 1${profile}${fromText(from)}`;
}

/** Request and environment of the search. */
type HuntSearch = Readonly<{ options: HuntOptions; io: Io; progress: Progress }>;

/** Searches all ranges of all variants; `undefined` if interrupted. @throws the errors of jobs. */
async function searchVariants(hunting: HuntSearch) {
  const { ranges, confidence: toEnd, method, bugs } = hunting.options;
  const all: readonly KnownBadVariant[] = [CONTROL, ...bugs];
  const probes = probeJobs(method, ranges[0]?.first ?? 1n);
  const searches = all.flatMap(({ name: bug }) => ranges.map((range): RangeJob => ({ bug, method, range, toEnd })));
  const jobs = [...searches, ...probes];
  const measured = (await doJobs("hunt", jobs, "searched for", hunting))?.flatMap((searched) => searched ?? []);
  if (measured === undefined) return undefined;
  const scoreAt = (place: number, bug: KnownBadVariant): Score =>
    scoreOf(bug, measured.slice(place * ranges.length, (place + 1) * ranges.length));
  const missed = probes.filter((_, place) => measured[searches.length + place]?.first === undefined);
  return {
    /** Scores of the requested variants in order. */
    scores: bugs.map((bug, place) => scoreAt(place + 1, bug)),
    /** Failed self-checks; empty if each oracle reported its variant, and none the control. */
    selfCheckFailures: selfCheckFailures(missed, scoreAt(0, CONTROL)),
  };
}

/** Returns the minimized scenarios by the scores that have a detection; `undefined` if interrupted. */
async function shrinkFindings(
  scores: readonly Score[],
  hunting: HuntSearch,
): Promise<ReadonlyMap<Score, ShrunkRow> | undefined> {
  const { shrinkRuns: runs, out, method: source } = hunting.options;
  const found = scores.flatMap((score) => {
    if (score.first === undefined || runs === 0) return [];
    const { seed, detection } = score.first;
    const job: ShrinkJob = { bug: score.bug.name, source, seed, signature: detection.signature, runs };
    return [{ score, job }];
  });
  const jobs = found.map(({ job }) => job);
  const minimized = await doJobs("minimize", jobs, "minimized", hunting);
  if (minimized === undefined) return undefined;
  return new Map(
    found.flatMap(({ score }, place) => {
      const small = minimized[place];
      return small === undefined ? [] : [[score, saveMinimized(out, score, small)]];
    }),
  );
}

/** Returns the results of jobs; `undefined` after an interrupt. `verb`: what a variant was, for the progress. @throws the errors of jobs. */
async function doJobs<K extends "hunt" | "minimize">(
  kind: K,
  jobs: readonly (JobOf<K> & { readonly bug: string })[],
  verb: string,
  { options, io, progress }: HuntSearch,
): Promise<readonly ResultOf<K>[] | undefined> {
  const work = new InterruptibleWork(io);
  const results: ResultOf<K>[] = [];
  let next = 0;
  const settings = undefined as SettingsOf<K>;
  const threads = Math.min(options.threads, jobs.length);
  await runJobs<K>({
    workers: workersFor({ kind, settings, threads, isStopped: () => work.isStopped(), now: () => io.now() }),
    take: () => jobs[next++],
    onResult: (result, _job, place) => {
      results.push(result);
      if (!work.isInterrupted) progress.at(place + 1, jobs.length, `${verb} ${jobs[place]?.bug}`);
      return undefined;
    },
  });
  return work.isInterrupted ? undefined : results;
}
