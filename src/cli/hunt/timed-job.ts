/** A job with how long it took: the only place where a hunt looks at a clock. Times decide nothing. */
import { type Answer, doJob, type Job } from "../../harness/hunt/jobs.ts";
import type { ScenarioParser } from "../../harness/parse.ts";
import type { Sliced } from "../../harness/sliced.ts";

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
