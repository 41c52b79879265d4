/** Workers of a campaign with a queue. */
import { hostname } from "node:os";
import { Attempt, type AttemptOptions } from "../../campaign/attempt.ts";
import type { Plan } from "../../campaign/plan.ts";
import type { DoJob } from "../../campaign/queue.ts";
import type { Io } from "../io.ts";
import { HAS_THREADS, type JobWorkers, SilentThread, workerInThisThread, workersInThreads } from "../jobs/workers.ts";

/** Milliseconds of silence that count for nothing: the machine is busy. */
const SILENT_MS = 30_000;

/** Machine and process. */
export const WORKER = `${hostname()}:${process.pid}`;

/**
 * Returns the workers of this process for a plan. A single one has a thread, too, which is ended if it is caught inside
 * one event; the sources bound a world between two events only.
 */
export function workersOf(
  { worldMs, shrinkRuns }: Plan,
  threads: number,
  io: Io,
  isStopped: () => Promise<boolean>,
): JobWorkers<"campaign"> {
  const plan = { kind: "campaign", settings: { worldMs, shrinkRuns }, isStopped } as const;
  return HAS_THREADS
    ? workersInThreads({ ...plan, threads, silentMs: 2 * worldMs + SILENT_MS })
    : workerInThisThread({ ...plan, now: () => io.now() });
}

/** Returns what the queue gives its jobs to. Another thread does the rest of a job whose thread was lost. */
export function attemptsOf({ all }: JobWorkers<"campaign">, options: AttemptOptions): readonly DoJob[] {
  return all.map(
    (carryOut): DoJob =>
      async (job, guidance) => {
        const attempt = new Attempt(job, options);
        for (let rest = job; ; ) {
          try {
            const end = await carryOut({ job: rest, guidance }, (slice) => attempt.take(slice));
            return end.isStopped ? undefined : attempt.result(end.error);
          } catch (problem) {
            const { rest: left, error } = attempt.noteLostThread(problem instanceof SilentThread ? "hung" : "died");
            if (left === undefined) return attempt.result(error);
            rest = left;
          }
        }
      },
  );
}
