/** One attempt at a job: gathers what the job tells, and makes its result. */
import { roundToTenths, type Slice, unendedRow } from "./do-job.ts";
import type { Job, Plan } from "./job.ts";
import type { ContentRow, JobResult, WorldRow } from "./rows.ts";

export interface AttemptOptions {
  readonly keep: Plan["keep"];
  /** Name of machine and process in the row of the job. */
  readonly worker: string;
  /** Steady clock: milliseconds since the start of the process. */
  readonly now: () => number;
}

export class Attempt {
  /** Work of the thread that is at work now: all of the job, or what a lost thread left. */
  #job: Job;
  readonly #options: AttemptOptions;
  readonly #start: number;
  readonly #rows: ContentRow[] = [];
  readonly #follow: Job[] = [];
  readonly #sums = { worlds: 0, failed: 0, events: 0, operations: 0, final: 0 };
  #world: { readonly seed: string; readonly place: number; readonly start: number } | undefined;

  constructor(job: Job, options: AttemptOptions) {
    this.#job = job;
    this.#options = options;
    this.#start = options.now();
  }

  /** Takes what a job tells. */
  take(slice: Slice): void {
    if (slice === undefined) return;
    switch (slice.type) {
      case "begins":
        this.#world = { ...slice, start: this.#options.now() };
        return;
      case "follow":
        this.#follow.push(slice.job);
        return;
      case "world":
        this.#count(slice);
        return;
      default:
        this.#rows.push(slice);
    }
  }

  /**
   * Counts the world in which the thread was lost as a finding. The coverage of earlier worlds of this job was lost with
   * the thread. Returns the rest of the job for another thread, and why its result is not whole.
   */
  noteLostThread(why: "hung" | "died") {
    const world = this.#world;
    const { work, id } = this.#job;
    const how = why === "hung" ? "was silent inside one event" : "ended";
    if (work.kind !== "fuzz" || world === undefined) return { rest: undefined, error: `the thread ${how}` };
    this.#count(unendedRow(id, world.seed, why, this.#options.now() - world.start));
    this.#world = undefined;
    const count = work.count - world.place - 1;
    if (count === 0) return { rest: undefined, error: null };
    this.#job = { id, work: { ...work, first: String(BigInt(work.first) + BigInt(world.place + 1)), count } };
    return { rest: this.#job, error: null };
  }

  /** Returns the result. `error`: why the job could not be done. */
  result(error: string | null = null): JobResult {
    const { id, work } = this.#job;
    const { now, worker } = this.#options;
    const ended = Math.round(performance.timeOrigin + now());
    const more = { ms: roundToTenths(now() - this.#start), ended, worker, follow: this.#follow, error };
    return [...this.#rows, { type: "job", job: id, kind: work.kind, ...this.#sums, ...more }];
  }

  #count(row: WorldRow): void {
    const isFailed = row.verdict === "fail";
    this.#sums.worlds += 1;
    this.#sums.failed += isFailed ? 1 : 0;
    for (const name of ["events", "operations", "final"] as const) this.#sums[name] += row[name];
    if (isFailed || this.#options.keep === "all") this.#rows.push(row);
  }
}
