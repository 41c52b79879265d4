/** Timed job, the only use of a clock in a hunt. Times affect no result. */

import type { Interruptible } from "../../run/interruptible.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import { doJob, type Job, type JobResult } from "../../search/hunt/jobs.ts";

/** Result, and the milliseconds until it or its first detection. */
export interface Timed {
  readonly answer: JobResult;
  readonly wallMs: number;
}

/** Runs a job and reads `now`, in milliseconds, before and after. */
export function* timedJob(job: Job, parser: ScenarioParser, now: () => number): Interruptible<Timed> {
  const start = now();
  let end: number | undefined;
  const answer = yield* doJob(job, parser, () => {
    end = now();
  });
  return { answer, wallMs: (end ?? now()) - start };
}
