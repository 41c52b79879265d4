/** Search for known-bad variants, with a canary and a control. */
import type { Bug } from "../../bugs/bug.ts";
import { CANARY, CONTROL } from "../../bugs/canary.ts";
import { dishonestyOf } from "../../search/hunt/honesty.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import { type Measured, type Score, scoreOf } from "../../search/hunt/score.ts";
import type { Strategy } from "../../search/hunt/strategy.ts";
import type { Io } from "../io.ts";
import type { Progress } from "../progress.ts";
import { doJobs } from "./do-jobs.ts";
import type { HuntOptions } from "./hunt-options.ts";

/** Request and environment of the search. */
export interface Hunting {
  readonly options: HuntOptions;
  readonly io: Io;
  readonly progress: Progress;
}

export interface Hunted {
  /** Scores of the requested variants in order, search method after search method. */
  readonly scores: readonly Score[];
  /** Failed self-checks; empty if the canary was detected and the control was not. */
  readonly dishonesty: readonly string[];
}

/** Variant with a search method. */
interface Pair {
  readonly bug: Bug;
  readonly strategy: Strategy;
}

/** Searches all ranges of all variants; `undefined` if interrupted. @throws the errors of jobs. */
export async function searchVariants(hunting: Hunting): Promise<Hunted | undefined> {
  const { strategies, bugs } = hunting.options;
  const pairs = strategies.flatMap((strategy) => [CANARY, CONTROL, ...bugs].map((bug): Pair => ({ bug, strategy })));
  const scores = await scoresOf(pairs, hunting);
  return (
    scores && {
      scores: scores.filter(({ bug }) => bug !== CANARY && bug !== CONTROL),
      dishonesty: strategies.flatMap((strategy) => dishonestyIn(scores, strategy)),
    }
  );
}

async function scoresOf(
  pairs: readonly Pair[],
  { options, io, progress }: Hunting,
): Promise<readonly Score[] | undefined> {
  const { ranges, threads, confidence } = options;
  const jobs = pairs.flatMap(({ bug, strategy }) =>
    ranges.map((range): Job => ({ kind: "search", bug: bug.name, strategy, range, toEnd: confidence })),
  );
  const measured: Measured[] = [];
  const ended = await doJobs(jobs, {
    io,
    threads,
    heard: ({ answer, wallMs }, place) => {
      if (answer.kind === "searched") measured.push({ ...answer.searched, wallMs });
      progress.at(place + 1, jobs.length, `searched for ${jobs[place]?.bug}`);
    },
  });
  if (ended === "interrupted") return undefined;
  return pairs.map(({ bug, strategy }, place) =>
    scoreOf(bug, strategy, measured.slice(place * ranges.length, (place + 1) * ranges.length)),
  );
}

function dishonestyIn(scores: readonly Score[], strategy: Strategy): readonly string[] {
  const of = (bug: Bug): Score | undefined => scores.find((score) => score.bug === bug && score.strategy === strategy);
  const [canary, control] = [of(CANARY), of(CONTROL)];
  return canary === undefined || control === undefined
    ? ["canary or control has no score"]
    : dishonestyOf(canary, control);
}
