/** Job of a campaign with a queue, as a worker carries it out. */
import { executeJob, type JobBounds, type Slice } from "../../campaign/do-job.ts";
import type { Job } from "../../campaign/job.ts";
import type { Guidance } from "../../search/fuzz/guided.ts";

interface GuidedJob {
  readonly job: Job;
  readonly guidance: Guidance | undefined;
}

/** `error`: why the job could not be done, `null` if it was. */
type JobEnd = Readonly<{ isStopped: boolean; error: string | null }>;

/** Carries out a job. */
export function* campaignJob(
  { job, guidance }: GuidedJob,
  bounds: Omit<JobBounds, "now">,
  now: () => number,
): Generator<Slice, JobEnd, boolean | undefined> {
  try {
    return { isStopped: (yield* executeJob(job, { ...bounds, now }, guidance)) === "stopped", error: null };
  } catch (error) {
    return { isStopped: false, error: error instanceof Error ? error.message : String(error) };
  }
}
