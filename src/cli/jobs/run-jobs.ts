/** Jobs in worker threads or in this thread, with their results in the order of the jobs. */
import { workThrough } from "../../campaign/work-through.ts";
import type { JobKind, JobOf, ResultOf } from "./kinds.ts";
import type { JobWorkers } from "./workers.ts";

interface JobsPlan<K extends JobKind> {
  readonly workers: JobWorkers<K>;
  /** Returns the next job; "later" if it depends on unreported results; `undefined` after the last. */
  readonly take: () => JobOf<K> | "later" | undefined;
  /** Called with each result in the order of the jobs. "end" ends all jobs at once. */
  readonly onResult: (
    result: ResultOf<K>,
    job: JobOf<K>,
    index: number,
  ) => Promise<"end" | undefined> | "end" | undefined;
}

/**
 * Carries out jobs until none is left, or `onResult` ends them. After a stop request no job begins, and the results of
 * those at work are reported. Closes the workers. @throws the errors of jobs.
 */
export async function runJobs<K extends JobKind>({ workers, take, onResult }: JobsPlan<K>): Promise<void> {
  const early = new Map<number, { readonly job: JobOf<K>; readonly result: ResultOf<K> }>();
  let [begun, reported, isOver] = [0, 0, false];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let reporting = Promise.resolve();
  const report = async (): Promise<void> => {
    for (let next = early.get(reported); !isOver && next !== undefined; next = early.get(reported)) {
      early.delete(reported);
      isOver = (await onResult(next.result, next.job, reported++)) === "end";
    }
    if (isOver) end();
  };
  const nextJob = async (): Promise<{ readonly job: JobOf<K>; readonly index: number } | "later" | undefined> => {
    if (isOver || (await workers.isStopped())) return undefined;
    const job = take();
    if (job === undefined || job === "later") return job;
    // The comparison does not narrow a type parameter.
    return { job: job as JobOf<K>, index: begun++ };
  };
  const all = workThrough(workers.all, nextJob, async (worker, { job, index }) => {
    early.set(index, { job, result: await worker(job) });
    reporting = reporting.then(report);
    await reporting;
  });
  try {
    await Promise.race([all, ended]);
  } finally {
    await workers.close();
  }
}
