/** Workers of a campaign: each does one job at a time, in a thread of its own, or between two turns of this one. */
import { hostname } from "node:os";
import { Worker } from "node:worker_threads";
import { Attempt, type AttemptOptions } from "../../campaign/attempt.ts";
import { type JobBounds, type Slice, workOn } from "../../campaign/do-job.ts";
import type { Job } from "../../campaign/job.ts";
import type { Plan } from "../../campaign/plan.ts";
import type { DoJob } from "../../campaign/queue.ts";
import type { JobResult } from "../../campaign/rows.ts";
import type { Guidance } from "../../search/fuzz/guided.ts";
import type { Io } from "../io.ts";
import { builtWorker, HAS_THREADS, stopFlag, type ThreadData, YOUNG_MIB } from "../worker-pool.ts";

/** `data` of a job's thread. */
export type JobThreadData = Pick<JobBounds, "worldMs" | "shrinkRuns">;

/** Message to a job's thread. */
export interface Given {
  readonly job: Job;
  readonly guidance: Guidance | undefined;
}

/** Message of a job's thread. */
export type Told =
  | { readonly type: "slice"; readonly slice: Slice }
  | { readonly type: "end"; readonly isStopped: boolean; readonly error: string | null };

/** Milliseconds after which a thread tells that it is alive, if it tells nothing else. */
export const ALIVE_MS = 2_000;
/** Milliseconds of silence that count for nothing: the machine is busy. */
const SILENT_MS = 30_000;
/** Milliseconds between two looks at a silent thread. */
const WATCH_MS = 200;

/** Machine and process. */
export const WORKER = `${hostname()}:${process.pid}`;

export interface Workers {
  readonly all: readonly DoJob[];
  /** Lets every job end between two events, unfinished. */
  stop(): void;
  close(): Promise<void>;
}

/** Returns the workers of this process for a plan. */
export function workersFor({ worldMs, shrinkRuns, keep }: Plan, threads: number, io: Io): Workers {
  const options = { keep, worker: WORKER, now: () => io.now() };
  if (!HAS_THREADS) return inThisThread({ worldMs, shrinkRuns }, options, io);
  const silentMs = 2 * worldMs + SILENT_MS;
  const file = builtWorker("cli/campaign/worker.js");
  return inThreads({ file, threads, data: { worldMs, shrinkRuns }, silentMs, options });
}

/** Sources run all jobs in the main thread; a world is bounded between two events only. */
function inThisThread(data: JobThreadData, options: AttemptOptions, io: Io): Workers {
  let isStopped = false;
  const doJob: DoJob = async (job, guidance) => {
    const attempt = new Attempt(job, options);
    const work = workOn(job, { ...data, now: options.now }, guidance);
    let slice = work.next();
    while (slice.done !== true) {
      attempt.take(slice.value);
      isStopped ||= await io.interrupted();
      slice = work.next(isStopped);
    }
    return slice.value === "done" ? attempt.result() : undefined;
  };
  return {
    all: [doJob],
    stop: () => {
      isStopped = true;
    },
    close: async () => undefined,
  };
}

export interface ThreadsPlan {
  /** Built file of the thread. */
  readonly file: URL;
  readonly threads: number;
  readonly data: JobThreadData;
  /** Milliseconds of silence after which a thread counts as caught inside one event, and is ended. */
  readonly silentMs: number;
  readonly options: AttemptOptions;
}

/** Returns one worker for each thread. */
export function inThreads({ file, threads, data, silentMs, options }: ThreadsPlan): Workers {
  const stop = stopFlag();
  const thread: ThreadData<JobThreadData> = { data, stop };
  const slots = Array.from({ length: threads }, () => new Slot(file, thread, silentMs));
  return {
    all: slots.map((slot) => (job, guidance) => slot.done({ job, guidance }, options)),
    stop: () => {
      Atomics.store(stop, 0, 1);
    },
    close: async () => {
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

type End = Extract<Told, { readonly type: "end" }> | "hung" | "died";

/** One thread, and the next one after it was lost. */
class Slot {
  readonly #file: URL;
  readonly #thread: ThreadData<JobThreadData>;
  readonly #silentMs: number;
  #worker: Worker | undefined;
  #hear: (told: Told | "died") => void = () => undefined;

  constructor(file: URL, thread: ThreadData<JobThreadData>, silentMs: number) {
    this.#file = file;
    this.#thread = thread;
    this.#silentMs = silentMs;
  }

  async done({ job, guidance }: Given, options: AttemptOptions): Promise<JobResult | undefined> {
    const attempt = new Attempt(job, options);
    for (let rest = job; ; ) {
      const end: End = await this.#run({ job: rest, guidance }, attempt);
      if (typeof end === "object") return end.isStopped ? undefined : attempt.result(end.error);
      await this.close();
      const { rest: left, error } = attempt.lost(end);
      if (left === undefined) return attempt.result(error);
      rest = left;
    }
  }

  /**
   * Lets the thread do a job, until it ends, is silent for too long, or dies. Silence begins with the first word, as a
   * thread may take long to start, and is counted in looks, as this thread may be busy, too.
   */
  async #run(given: Given, attempt: Attempt): Promise<End> {
    const worker = this.#started();
    const looks = Math.ceil(this.#silentMs / WATCH_MS);
    let silent: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<End>((resolve) => {
        this.#hear = (told) => {
          silent = 0;
          if (told === "died" || told.type === "end") resolve(told);
          else attempt.take(told.slice);
        };
        timer = setInterval(() => {
          if (silent !== undefined && ++silent > looks) resolve("hung");
        }, WATCH_MS);
        worker.postMessage(given);
      });
    } finally {
      clearInterval(timer);
      this.#hear = () => undefined;
    }
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    const worker = new Worker(this.#file, { workerData: this.#thread, resourceLimits });
    worker.on("message", (told: Told) => this.#hear(told));
    worker.on("error", () => this.#hear("died"));
    worker.on("exit", () => this.#hear("died"));
    this.#worker = worker;
    return worker;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
