/** Thread pool whose results arrive in the order of the jobs, independent of the number of threads. */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { required } from "../core/base/assert.ts";

/** Bound of a worker's young generation in MiB, twice V8's own (decision 040). */
export const YOUNG_MIB = 96;

/** Milliseconds between two checks for a stop request. */
const WATCH_MS = 100;

interface PoolPlan<Job, Answer> {
  /** Built file of the worker: it answers each `Posted` job in order. */
  readonly worker: URL;
  /** `data` in the `ThreadData` of each worker. */
  readonly data: unknown;
  /** Returns the next job; "later" if it depends on unreported results; `undefined` after the last. */
  readonly take: () => Job | "later" | undefined;
  readonly threads: number;
  /** Called with each result in the order of the jobs. "end" stops the pool at once. */
  readonly onPosted: (answer: Answer, place: number) => Promise<"on" | "end">;
  /**
   * Called before the first job and then every `WATCH_MS` ms. "stop": no further job begins, and the workers see it
   * (`isStopped`) and may answer early; their answers are reported. "end": the pool ends at once.
   */
  readonly watch: () => Promise<"on" | "stop" | "end">;
}

/** `workerData` of a worker. */
export interface ThreadData<Data> {
  readonly data: Data;
  /** Shared with the main thread; 1 after a stop request. */
  readonly stop: Int32Array;
}

/** Value of the shared word in `ThreadData` without a stop request. */
export function stopFlag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Returns true after a stop request. */
export function isStopped(stop: Int32Array): boolean {
  return Atomics.load(stop, 0) !== 0;
}

/** Answers each job of the pool in a worker thread. */
export function answerJobs<Job, Data>(answer: (job: Job, thread: ThreadData<Data>) => unknown): void {
  const port = required(parentPort ?? undefined, "message port of the main thread");
  const thread = workerData as ThreadData<Data>;
  port.on("message", ({ place, content }: Posted<Job>) =>
    port.postMessage({ place, content: answer(content, thread) }),
  );
}

/** Message between threads: a job or its result, with the job's index. */
export type Posted<T> = Readonly<{ place: number; content: T }>;

/** Workers need built files; the sources run all jobs in the main thread. */
export const HAS_THREADS: boolean = import.meta.url.endsWith(".js");

/** Returns the built file of a worker, by its path in the build. */
export function builtWorker(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** Runs jobs until there are none left or the pool ends. @throws the errors of workers. */
export async function runPool<Job, Answer>(plan: PoolPlan<Job, Answer>): Promise<void> {
  const { worker: file, data, take, threads, onPosted, watch } = plan;
  const stop = stopFlag();
  const thread: ThreadData<unknown> = { data, stop };
  const options = { workerData: thread, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } };
  const workers = Array.from({ length: threads }, () => new Worker(file, options));
  const early = new Map<number, Answer>();
  let begun = 0;
  let reported = 0;
  let reporting = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let idle: Worker[] = [];
      let isOver = false;
      const begin = (worker: Worker): void => {
        const job = isOver || isStopped(stop) ? undefined : take();
        if (job === undefined || job === "later") {
          idle.push(worker);
          // All workers are idle, and no unreported result can enable further jobs.
          if (job === undefined && idle.length === workers.length) reporting.then(resolve, reject);
          return;
        }
        worker.postMessage({ place: begun++, content: job } satisfies Posted<Job>);
      };
      const report = async (): Promise<void> => {
        for (;;) {
          const answer = isOver ? undefined : early.get(reported);
          if (answer === undefined) break;
          early.delete(reported);
          if ((await onPosted(answer, reported++)) === "end") {
            isOver = true;
            resolve();
          }
        }
        const waiting = idle;
        idle = [];
        for (const worker of waiting) begin(worker);
      };
      const look = async (): Promise<void> => {
        const word = await watch();
        if (word !== "on") Atomics.store(stop, 0, 1);
        if (word === "end") {
          isOver = true;
          resolve();
        }
      };
      for (const worker of workers) {
        worker.on("error", reject);
        worker.on("message", ({ place, content }: Posted<Answer>) => {
          early.set(place, content);
          // Before `begin`, which ends the pool after the last report if no job is left.
          reporting = reporting.then(report);
          reporting.catch(reject);
          begin(worker);
        });
      }
      look().then(() => {
        timer = setInterval(() => void look().catch(reject), WATCH_MS);
        for (const worker of workers) begin(worker);
      }, reject);
    });
  } finally {
    clearInterval(timer);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
