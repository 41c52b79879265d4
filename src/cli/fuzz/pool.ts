/** Seeds over several threads, told in their order: nobody sees how many threads there were. */
import { Worker } from "node:worker_threads";
import { present } from "../../core/base/assert.ts";
import type { Worlds } from "../../harness/fuzz/seed-run.ts";
import type { Counted } from "../../harness/fuzz/tally.ts";

export interface PoolPlan {
  readonly worlds: Worlds;
  readonly seeds: readonly string[];
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
  const workers = Array.from(
    { length: Math.min(threads, seeds.length) },
    () => new Worker(file, { workerData: worlds }),
  );
  const early = new Map<string, Counted>();
  let begun = 0;
  let told = 0;
  let telling = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      let busy = 0;
      let isOver = false;
      const begin = (worker: Worker): void => {
        if (!isOver && begun < seeds.length && mayBegin()) {
          busy += 1;
          worker.postMessage(seeds[begun++]);
        } else if (busy === 0) {
          telling.then(resolve, reject);
        }
      };
      const tell = async (): Promise<void> => {
        for (;;) {
          const next = seeds[told];
          const run = isOver || next === undefined ? undefined : early.get(next);
          if (run === undefined) return;
          told += 1;
          early.delete(run.seed);
          if ((await heard(run)) === "end") {
            isOver = true;
            resolve();
          }
        }
      };
      for (const worker of workers) {
        worker.on("error", reject);
        worker.on("message", (run: Counted) => {
          busy -= 1;
          early.set(run.seed, run);
          telling = telling.then(tell);
          telling.catch(reject);
          begin(worker);
        });
      }
      for (const worker of workers) begin(present(worker, "thread"));
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
