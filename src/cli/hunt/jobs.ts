/** Jobs of a hunt, each with its time, in worker threads, or in the main thread if there are none. */

import type { Interruptible } from "../../run/interruptible.ts";
import { createParser, type ScenarioParser } from "../../scenario/parse.ts";
import { doJob, type Job, type JobResult } from "../../search/hunt/jobs.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { builtWorker, HAS_THREADS, runPool } from "../worker-pool.ts";

interface Doing {
  readonly io: Io;
  readonly threads: number;
  /** Called with each result in the order of the jobs. */
  readonly onResult: (timed: Timed, place: number) => void;
}

/** Runs the jobs; returns "interrupted" if they were stopped. @throws the errors of jobs. */
export async function doJobs(jobs: readonly Job[], { io, threads, onResult }: Doing): Promise<"done" | "interrupted"> {
  if (threads > 1 && HAS_THREADS && jobs.length > 0) return inThreads(jobs, { io, threads, onResult });
  const parser = createParser();
  const work = new InterruptibleWork(io);
  for (const [place, job] of jobs.entries()) {
    const timed = await work.finish(timedJob(job, parser, io.now));
    if (work.isInterrupted) return "interrupted";
    onResult(timed, place);
  }
  return "done";
}

async function inThreads(jobs: readonly Job[], { io, threads, onResult }: Doing): Promise<"done" | "interrupted"> {
  let isInterrupted = false;
  let next = 0;
  await runPool<Job, Timed>({
    worker: builtWorker("cli/hunt/worker.js"),
    data: undefined,
    take: () => jobs[next++],
    threads: Math.min(threads, jobs.length),
    onPosted: async (timed, place) => {
      onResult(timed, place);
      return "on";
    },
    watch: async () => {
      isInterrupted ||= await io.interrupted();
      return isInterrupted ? "end" : "on";
    },
  });
  return isInterrupted ? "interrupted" : "done";
}

/** Result, and the milliseconds until it or its first detection. */
type Timed = Readonly<{ answer: JobResult; wallMs: number }>;

/** Runs a job and reads `now`, in milliseconds, before and after. Times affect no result. */
export function* timedJob(job: Job, parser: ScenarioParser, now: () => number): Interruptible<Timed> {
  const start = now();
  let end: number | undefined;
  const answer = yield* doJob(job, parser, () => {
    end = now();
  });
  return { answer, wallMs: (end ?? now()) - start };
}
