/** A thread of a campaign: runs the seeds that it is sent, and answers with what is counted of them or that it was stopped. */
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../../core/base/assert.ts";
import { runSeed, type Worlds } from "../../search/fuzz/seed-run.ts";
import { type Counted, countedOf } from "../../search/fuzz/tally.ts";
import { isStopped, type Posted, type ThreadData } from "./pool.ts";
import type { Unfinished } from "./unfinished.ts";

const port = present(parentPort ?? undefined, "the thread that started this one");
const { data: worlds, stop } = workerData as ThreadData<Worlds>;

port.on("message", ({ place, what: seed }: Posted<string>) => {
  port.postMessage({ place, what: ran(seed) });
});

/** Runs a seed until its end, or until the threads are stopped: then between two events. */
function ran(seed: string): Counted | Unfinished {
  const running = runSeed(seed, worlds);
  let slice = running.next();
  while (slice.done !== true) {
    if (isStopped(stop)) return { unfinished: seed };
    slice = running.next(false);
  }
  return countedOf(slice.value);
}
