/** One attempt at a job: gathers what the job tells, and makes its result. */
import { type JobEnd, roundToTenths, type Slice, unendedRow } from "./do-job.ts";
import type { Job, Plan } from "./job.ts";
import type { ContentRow, JobResult, WorldRow } from "./rows.ts";

export interface AttemptOptions {
  readonly keep: Plan["keep"];
  /** Name of machine and process in the row of the job. */
  readonly worker: string;
  /** Steady clock: milliseconds since the start of the process. */
  readonly now: () => number;
  /** True for the error of a thread that was silent for too long, and not ended by itself. */
  readonly isSilence: (error: unknown) => boolean;
}

/** Carries out a job, or what a lost thread left of one, in a thread. Rejects if the thread is lost. */
type CarryOut = (job: Job, onSlice: (slice: Slice) => void) => Promise<JobEnd>;

/**
 * Returns the result of a job; `undefined` if it was stopped. The world in which a thread was lost is a finding, and another
 * thread does the rest of the job; the coverage of its earlier worlds was lost with the thread.
 */
export async function attemptJob(
  { id, work }: Job,
  carryOut: CarryOut,
  { keep, worker, now, isSilence }: AttemptOptions,
): Promise<JobResult | undefined> {
  const start = now();
  const [rows, follow]: [ContentRow[], Job[]] = [[], []];
  const sums = { worlds: 0, failed: 0, events: 0, operations: 0, final: 0 };
  /** The world that began last; set by `take`, which the compiler does not follow. */
  let world = undefined as { readonly seed: string; readonly place: number; readonly start: number } | undefined;
  const count = (row: WorldRow): void => {
    const isFailed = row.verdict === "fail";
    sums.worlds += 1;
    sums.failed += isFailed ? 1 : 0;
    for (const name of ["events", "operations", "final"] as const) sums[name] += row[name];
    if (isFailed || keep === "all") rows.push(row);
  };
  const take = (slice: Slice): void => {
    if (slice === undefined) return;
    if (slice.type === "begins") world = { ...slice, start: now() };
    else if (slice.type === "follow") follow.push(slice.job);
    else if (slice.type === "world") count(slice);
    else rows.push(slice);
  };
  /** `error`: why the job could not be done. */
  const result = (error: string | null): JobResult => {
    const ended = Math.round(performance.timeOrigin + now());
    const ms = roundToTenths(now() - start);
    return [...rows, { type: "job", job: id, kind: work.kind, ...sums, ms, ended, worker, follow, error }];
  };
  for (let rest = work; ; ) {
    try {
      const { isStopped, error } = await carryOut({ id, work: rest }, take);
      return isStopped ? undefined : result(error);
    } catch (problem) {
      const isHung = isSilence(problem);
      if (rest.kind !== "fuzz" || world === undefined)
        return result(`the thread ${isHung ? "was silent inside one event" : "ended"}`);
      count(unendedRow(id, world.seed, isHung ? "hung" : "died", now() - world.start));
      const left = rest.count - world.place - 1;
      if (left === 0) return result(null);
      rest = { ...rest, first: String(BigInt(rest.first) + BigInt(world.place + 1)), count: left };
      world = undefined;
    }
  }
}
