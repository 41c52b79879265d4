/** Kinds of jobs, and the workers of this process: each carries out one job at a time, in a thread of its own or in this one. */
import { Worker } from "node:worker_threads";
import { workThrough } from "../../campaign/queue.ts";
import { InterruptibleWork } from "../io.ts";

/**
 * Work on one job, some events at a time: yields what it has to report before its result, or `undefined`. `next(true)`
 * ends it early, with a result that says so.
 */
type JobWork<Slice, Result> = Generator<Slice | undefined, Result, boolean | undefined>;

/** `now`: milliseconds of a steady clock. */
type CarryOut = (job: never, settings: never, now: () => number) => JobWork<unknown, unknown>;

const TABLE = {
  campaign: async () => (await import("../../campaign/do-job.ts")).campaignJob,
  fuzz: async () => (await import("../fuzz/job.ts")).fuzzJob,
  hunt: async () => (await import("../../search/hunt/search.ts")).searchRange,
  minimize: async () => (await import("../../search/hunt/search.ts")).minimize,
  run: async () => (await import("../run/execution.ts")).executeFile,
} satisfies Readonly<Record<string, () => Promise<CarryOut>>>;

export type JobKind = keyof typeof TABLE;
type CarryOutOf<K extends JobKind> = Awaited<ReturnType<(typeof TABLE)[K]>>;
export type JobOf<K extends JobKind> = Parameters<CarryOutOf<K>>[0];
export type SettingsOf<K extends JobKind> = Parameters<CarryOutOf<K>>[1];
type WorkOf<K extends JobKind> = ReturnType<CarryOutOf<K>>;
type SliceOf<K extends JobKind> = WorkOf<K> extends JobWork<infer Slice, unknown> ? Slice | undefined : never;
export type ResultOf<K extends JobKind> = WorkOf<K> extends JobWork<unknown, infer Result> ? Result : never;

/** A type as another thread receives it: its methods are lost. */
type TransferredForm<T> = unknown extends T
  ? T
  : T extends (...inputs: never) => unknown
    ? never
    : T extends string | number | bigint | boolean | null | undefined
      ? T
      : T extends ReadonlyMap<infer Key, infer Value>
        ? ReadonlyMap<TransferredForm<Key>, TransferredForm<Value>>
        : T extends ReadonlySet<infer Item>
          ? ReadonlySet<TransferredForm<Item>>
          : { readonly [Name in keyof T]: TransferredForm<T[Name]> };

type TransferOf<K extends JobKind> = readonly [JobOf<K>, SettingsOf<K>, SliceOf<K>, ResultOf<K>];
type UnfitKind = { [K in JobKind]: TransferOf<K> extends TransferredForm<TransferOf<K>> ? never : K }[JobKind];

/** All kinds. It does not compile where a job, its settings, a slice or a result is no plain data. */
const KINDS: [UnfitKind] extends [never] ? typeof TABLE : never = TABLE;

/** Returns the function that starts the work on a job of a kind. */
export async function workOf<K extends JobKind>(
  kind: K,
): Promise<(job: JobOf<K>, settings: SettingsOf<K>, now: () => number) => JobWork<SliceOf<K>, ResultOf<K>>> {
  return (await KINDS[kind]()) as never;
}

/** Bound of a thread's young generation in MiB, twice V8's own (decision 040). */
const YOUNG_MIB = 96;
/** Milliseconds between two checks for a stop request, and between two checks of a silent thread. */
const WATCH_MS = 100;
/** Milliseconds after which a thread reports that it is alive, if it reports nothing else. */
export const ALIVE_MS = 2_000;

/** Threads need the files of the build, which moves this module; the sources carry out all jobs in the main thread. */
export const HAS_THREADS: boolean = !/\/cli\/jobs\/workers\.[jt]s$/.test(import.meta.url);

/** Returns the built file of a thread, by its path in the build. */
export function workerUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** Carries out a job. Rejects with the error that ended the thread, or with `SilentThread`; the next job gets another thread. */
export type JobWorker<K extends JobKind> = (
  job: JobOf<K>,
  onSlice?: (slice: SliceOf<K>) => void,
) => Promise<ResultOf<K>>;

export interface JobWorkers<K extends JobKind> {
  readonly all: readonly JobWorker<K>[];
  /** Returns true after a stop request, which jobs at work see within `WATCH_MS`. */
  readonly isStopped: () => Promise<boolean>;
  /** Ends all threads at once. */
  readonly close: () => Promise<void>;
}

interface WorkersPlan<K extends JobKind> {
  readonly kind: K;
  readonly settings: SettingsOf<K>;
  readonly isStopped: () => Promise<boolean>;
  readonly threads: number;
  /** Milliseconds of silence after which a thread counts as caught inside one event; default: no limit. */
  readonly silentMs?: number;
  /** Built file of the thread. */
  readonly file?: URL;
}

/** `workerData` of a thread. */
export interface ThreadData<K extends JobKind> {
  readonly kind: K;
  readonly settings: SettingsOf<K>;
  /** Shared with the main thread; 1 after a stop request. */
  readonly stop: Int32Array;
}

/** Message of a thread. */
export type Message<K extends JobKind> =
  | { readonly type: "slice"; readonly slice: SliceOf<K> }
  | { readonly type: "result"; readonly result: ResultOf<K> };

/** A thread reported nothing for too long. */
export class SilentThread extends Error {
  override readonly name = "SilentThread";
}

/**
 * Returns workers in threads if there is to be more than one, or one may be caught inside an event; else this thread as the
 * only worker, which asks between slices for a stop request. `now`: milliseconds of a steady clock.
 */
export function workersFor<K extends JobKind>(plan: WorkersPlan<K> & { readonly now: () => number }): JobWorkers<K> {
  const { kind, settings, isStopped, now, threads, silentMs } = plan;
  if (HAS_THREADS && (threads > 1 || silentMs !== undefined)) return workersInThreads(plan);
  const carryOut: JobWorker<K> = async (job, onSlice) => {
    const work = (await workOf(kind))(job, settings, now);
    return new InterruptibleWork({ interrupted: isStopped }).finish(work, (slice) => onSlice?.(slice as SliceOf<K>));
  };
  return { all: [carryOut], isStopped, close: async () => undefined };
}

/** Returns a worker for each thread. */
export function workersInThreads<K extends JobKind>({
  kind,
  settings,
  threads,
  isStopped,
  silentMs = Number.POSITIVE_INFINITY,
  file = workerUrl("cli/jobs/worker.js"),
}: WorkersPlan<K>): JobWorkers<K> {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const watch = async (): Promise<void> => {
    if (await isStopped()) Atomics.store(stop, 0, 1);
  };
  const timer = setInterval(() => void watch(), WATCH_MS);
  const data: ThreadData<K> = { kind, settings, stop };
  const all = Array.from({ length: threads }, () => new Thread(file, data, silentMs));
  return {
    all: all.map((thread) => (job, onSlice) => thread.carryOut(job, onSlice)),
    isStopped,
    close: async () => {
      clearInterval(timer);
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

/** One thread, and the next one after it was lost. */
class Thread<K extends JobKind> {
  readonly #file: URL;
  readonly #data: ThreadData<K>;
  readonly #silentMs: number;
  #worker: Worker | undefined;
  #hear: (message: Message<K>) => void = () => undefined;
  #lose: (error: Error) => void = () => undefined;

  constructor(file: URL, data: ThreadData<K>, silentMs: number) {
    this.#file = file;
    this.#data = data;
    this.#silentMs = silentMs;
  }

  /**
   * Silence begins with the first message, as a thread may take long to start, and is counted in checks, as this thread
   * may be busy, too.
   */
  async carryOut(job: JobOf<K>, onSlice?: (slice: SliceOf<K>) => void): Promise<ResultOf<K>> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const checks = Math.ceil(this.#silentMs / WATCH_MS);
    let silent: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#lose = reject;
        this.#hear = (message) => {
          silent = 0;
          if (message.type === "result") resolve(message.result);
          else onSlice?.(message.slice);
        };
        timer = setInterval(() => {
          if (silent !== undefined && ++silent > checks)
            reject(new SilentThread(`no message for ${this.#silentMs} ms`));
        }, WATCH_MS);
        worker.postMessage(job);
      });
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  #start(): Worker {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    const worker = new Worker(this.#file, { workerData: this.#data, resourceLimits });
    worker.on("message", (message: Message<K>) => this.#hear(message));
    worker.on("error", (error) => this.#lose(error));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#lose(new Error("the thread ended"));
    });
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

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
