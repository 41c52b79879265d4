/** Seeds over several threads, told in their order: nobody sees how many threads there were. */
import { Worker } from "node:worker_threads";
import type { Worlds } from "../../harness/fuzz/seed-run.ts";
import type { SeedSource } from "../../harness/fuzz/seeds.ts";
import type { Counted } from "../../harness/fuzz/tally.ts";

export interface PoolPlan {
  readonly worlds: Worlds;
  readonly seeds: SeedSource;
  readonly threads: number;
  /** Told of each run, in the order of the seeds. No further one is told, and none begun, once it says so. */
  readonly heard: (run: Counted) => Promise<"on" | "end">;
  /** Asked before a seed begins: whether it may. */
  readonly mayBegin: () => boolean;
}

/** Only the built program has files that a thread can be started from; the sources run everything in one. */
export const HAS_THREADS: boolean = import.meta.url.endsWith(".js");

/** Runs seeds until there are none left, or it is told to end. @throws whatever a thread threw. */
export async function runPool({ worlds, seeds, threads, heard, mayBegin }: PoolPlan): Promise<void> {
  const file = new URL("./worker.js", import.meta.url);
  const workers = Array.from({ length: threads }, () => new Worker(file, { workerData: worlds }));
  const early = new Map<string, Counted>();
  const begun: string[] = [];
  let told = 0;
  let telling = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      let idle: Worker[] = [];
      let isOver = false;
      const begin = (worker: Worker): void => {
        const seed = isOver || !mayBegin() ? undefined : seeds.take();
        if (seed === undefined || seed === "later") {
          idle.push(worker);
          // Nobody runs, and all that ran is told: nothing will come any more.
          if (seed === undefined && idle.length === workers.length) telling.then(resolve, reject);
          return;
        }
        begun.push(seed);
        worker.postMessage(seed);
      };
      const tell = async (): Promise<void> => {
        for (;;) {
          const next = begun[told];
          const run = isOver || next === undefined ? undefined : early.get(next);
          if (run === undefined) break;
          told += 1;
          early.delete(run.seed);
          seeds.told(run);
          if ((await heard(run)) === "end") {
            isOver = true;
            resolve();
          }
        }
        const waiting = idle;
        idle = [];
        for (const worker of waiting) begin(worker);
      };
      for (const worker of workers) {
        worker.on("error", reject);
        worker.on("message", (run: Counted) => {
          early.set(run.seed, run);
          begin(worker);
          telling = telling.then(tell);
          telling.catch(reject);
        });
      }
      for (const worker of workers) begin(worker);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
