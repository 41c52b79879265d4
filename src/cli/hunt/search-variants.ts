/** Search for known-bad variants, with a canary and a control. */

import { CANARY, CONTROL } from "../../bugs/canary.ts";
import type { KnownBadVariant } from "../../bugs/known-bad-variant.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import { type Score, scoreOf, type TimedSearch } from "../../search/hunt/score.ts";
import type { SearchMethod } from "../../search/hunt/search-method.ts";
import { selfCheckFailures } from "../../search/hunt/self-check.ts";
import type { Io } from "../io.ts";
import type { Progress } from "../progress.ts";
import { doJobs } from "./do-jobs.ts";
import type { HuntOptions } from "./hunt-options.ts";

/** Request and environment of the search. */
export interface HuntSearch {
  readonly options: HuntOptions;
  readonly io: Io;
  readonly progress: Progress;
}

export interface Hunted {
  /** Scores of the requested variants in order, search method after search method. */
  readonly scores: readonly Score[];
  /** Failed self-checks; empty if the canary was detected and the control was not. */
  readonly selfCheckFailures: readonly string[];
}

/** Variant with a search method. */
interface Pair {
  readonly bug: KnownBadVariant;
  readonly strategy: SearchMethod;
}

/** Searches all ranges of all variants; `undefined` if interrupted. @throws the errors of jobs. */
export async function searchVariants(hunting: HuntSearch): Promise<Hunted | undefined> {
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
