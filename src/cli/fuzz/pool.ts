/** Jobs over several threads, told in their order: nobody sees how many threads there were. */
import { Worker } from "node:worker_threads";
import { WATCH_MS } from "./limits.ts";

export interface PoolPlan<Job, Answer> {
  /** The built file that a thread runs: it answers each job that it is sent (`Posted`), one after the other. */
  readonly worker: URL;
  /** The `data` of the `ThreadData` that each thread is started with. */
  readonly data: unknown;
  /** The next job; "later" where it depends on answers that are not told yet; `undefined` after the last. */
  readonly take: () => Job | "later" | undefined;
  readonly threads: number;
  /** Told of each answer, in the order of the jobs. No further one is told, and none begun, once it says so. */
  readonly heard: (answer: Answer, place: number) => Promise<"on" | "end">;
  /**
   * Asked before the first job and then every `WATCH_MS` ms. "stop": no further job begins, the threads see it
   * (`isStopped`) and may answer early, and their answers are told. "end": the pool ends at once.
   */
  readonly watch: () => Promise<"on" | "stop" | "end">;
}

/** The `workerData` of a thread. */
export interface ThreadData<Data> {
  readonly data: Data;
  /** Shared with the thread that started it; 1 once all shall stop. */
  readonly stop: Int32Array;
}

/** The shared word of `ThreadData`: nobody is to stop yet. */
export function stopWord(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Returns true once the threads shall stop. */
export function isStopped(stop: Int32Array): boolean {
  return Atomics.load(stop, 0) !== 0;
}

/** What goes to a thread, and what comes back: the job, or its answer, with its place among all. */
export interface Posted<T> {
  readonly place: number;
  readonly what: T;
}

/** Only the built program has files that a thread can be started from; the sources run everything in one. */
export const HAS_THREADS: boolean = import.meta.url.endsWith(".js");

/** Has jobs done until there are none left, or it is told to end. @throws whatever a thread threw. */
export async function runPool<Job, Answer>(plan: PoolPlan<Job, Answer>): Promise<void> {
  const { worker: file, data, take, threads, heard, watch } = plan;
  const stop = stopWord();
  const workerData: ThreadData<unknown> = { data, stop };
  const workers = Array.from({ length: threads }, () => new Worker(file, { workerData }));
  const early = new Map<number, Answer>();
  let begun = 0;
  let told = 0;
  let telling = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let idle: Worker[] = [];
      let isOver = false;
      const begin = (worker: Worker): void => {
        const job = isOver || isStopped(stop) ? undefined : take();
        if (job === undefined || job === "later") {
          idle.push(worker);
          // Nobody works, and nothing that is still to be told will bring more.
          if (job === undefined && idle.length === workers.length) telling.then(resolve, reject);
          return;
        }
        worker.postMessage({ place: begun++, what: job } satisfies Posted<Job>);
      };
      const tell = async (): Promise<void> => {
        for (;;) {
          const answer = isOver ? undefined : early.get(told);
          if (answer === undefined) break;
          early.delete(told);
          if ((await heard(answer, told++)) === "end") {
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
        worker.on("message", ({ place, what }: Posted<Answer>) => {
          early.set(place, what);
          // Before `begin`, which ends the pool after all that is to be told where no job is left.
          telling = telling.then(tell);
          telling.catch(reject);
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
