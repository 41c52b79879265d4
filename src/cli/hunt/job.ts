/** Jobs of a hunt. */
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import type { TimedSearch } from "../../search/hunt/score.ts";
import {
  type MinimizedScenario,
  minimize,
  type RangeJob,
  type ShrinkJob,
  searchRange,
} from "../../search/hunt/search.ts";

/** Searches a range; returns `undefined` if it was stopped. Times affect no result. */
export function* huntJob(
  job: RangeJob,
  _settings: undefined,
  now: () => number,
): Interruptible<TimedSearch | undefined> {
  const start = now();
  let end: number | undefined;
  const searched = yield* unlessStopped(
    searchRange(job, () => {
      end = now();
    }),
  );
  return searched && { ...searched, wallMs: (end ?? now()) - start };
}

/** Minimizes a detection; returns `undefined` if it was stopped. */
export function minimizeJob(job: ShrinkJob): Interruptible<MinimizedScenario | undefined> {
  return unlessStopped(minimize(job));
}
