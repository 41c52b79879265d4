/** Minimization of each variant's first detection. */
import type { Job } from "../../search/hunt/jobs.ts";
import type { Score } from "../../search/hunt/score.ts";
import { doJobs } from "./do-jobs.ts";
import { saveMinimized } from "./hunt-files.ts";
import type { ShrunkRow } from "./hunt-lines.ts";
import type { HuntSearch } from "./search-variants.ts";

/** Returns the results in the order of the scores; `undefined` as a whole if interrupted. */
export async function shrinkFindings(
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
    return [{ kind: "shrink", bug: bug.name, strategy, seed, place: detection.place, runs: shrinkRuns }];
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
