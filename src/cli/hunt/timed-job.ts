/** A job with how long it took: the only place where a hunt looks at a clock. Times decide nothing. */

import type { Sliced } from "../../run/sliced.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import { type Answer, doJob, type Job } from "../../search/hunt/jobs.ts";

/** An answer, and the milliseconds until it, or until its first finding. */
export interface Timed {
  readonly answer: Answer;
  readonly wallMs: number;
}

/** Does a job and looks at `now`, in milliseconds, before and after. */
export function* timedJob(job: Job, parser: ScenarioParser, now: () => number): Sliced<Timed> {
  const start = now();
  let end: number | undefined;
  const answer = yield* doJob(job, parser, () => {
    end = now();
  });
  return { answer, wallMs: (end ?? now()) - start };
}
