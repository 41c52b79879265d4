/** Interface behind which the jobs of a campaign wait: in this process, or in Redis for many machines. */
import type { Job, Plan } from "./job.ts";
import type { JobResult } from "./rows.ts";

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  /** Jobs that no worker could finish; each lost more workers than the queue allows. */
  readonly lost: number;
  readonly isStopped: boolean;
}

/** Carries out a job; returns `undefined` if it was stopped before its end, so that the job waits again. */
export type JobRunner = (job: Job) => Promise<JobResult | undefined>;

export interface WorkOptions {
  /** Machine and process, as observers of the campaign see them. */
  readonly name: string;
  /** Each carries out one job at a time. */
  readonly workers: readonly JobRunner[];
  /** Called several times a second; the work ends once it returns false. */
  readonly mayContinue: () => Promise<boolean>;
  /** Called after each job of this process. */
  readonly onResult: (result: JobResult) => void;
  /** True to wait for the next campaign after the end of this one. */
  readonly staysAfterEnd: boolean;
}

/**
 * Jobs and results of one campaign. A job is done exactly when its result is kept: both happen in one step, so a worker
 * that dies loses its job to another one, and no job has two results.
 */
export interface JobQueue {
  /** Starts or continues the campaign. @throws PlanMismatch if the queue holds a campaign of another plan. */
  begin(plan: Plan): Promise<void>;
  /** Returns the plan; `undefined` before `begin`. */
  plan(): Promise<Plan | undefined>;
  /** Works until no job waits or is active on any machine, or until it is stopped. */
  work(working: WorkOptions): Promise<void>;
  counts(): Promise<JobCounts>;
  /** Returns all results, each once. */
  results(): Promise<readonly JobResult[]>;
  /** Returns the results that earlier calls of this object have not returned. */
  newResults(): Promise<readonly JobResult[]>;
  /** Returns the workers that are alive: machine, process and number of threads. */
  liveWorkers(): Promise<readonly string[]>;
  /** Lets no worker begin another job, until the campaign is started again. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Error of a start: the queue holds a campaign of another plan. */
export class PlanMismatch extends Error {
  override readonly name = "PlanMismatch";
}

/** Returns true if two plans cover the same with the same program. */
export function isSamePlan(a: Plan, b: Plan): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Lets each worker take jobs until `take` returns `undefined`. After "later" a worker asks again when another one has
 * ended a job.
 */
export async function workThrough<Worker, Job extends object>(
  workers: readonly Worker[],
  take: () => Promise<Job | "later" | undefined>,
  work: (worker: Worker, job: Job) => Promise<void>,
): Promise<void> {
  let waiting: (() => void)[] = [];
  const loop = async (worker: Worker): Promise<void> => {
    for (;;) {
      // Registered before the call: a job that ends during `take` must wake this worker.
      const change = new Promise<void>((resolve) => waiting.push(resolve));
      const job = await take();
      if (job === undefined) return;
      if (job === "later") await change;
      else {
        await work(worker, job);
        for (const wake of waiting) wake();
        waiting = [];
      }
    }
  };
  await Promise.all(workers.map(loop));
}
