/** Worker thread of a campaign: runs the seeds that it receives, and answers with counts or an unfinished seed. */
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../../core/base/assert.ts";
import { runSeed, type Worlds } from "../../search/fuzz/seed-run.ts";
import { type Counted, countedOf } from "../../search/fuzz/tally.ts";
import { isStopped, type Posted, type ThreadData } from "./pool.ts";
import type { Unfinished } from "./unfinished.ts";

const port = present(parentPort ?? undefined, "message port of the main thread");
const { data: worlds, stop } = workerData as ThreadData<Worlds>;

port.on("message", ({ place, what: seed }: Posted<string>) => {
  port.postMessage({ place, what: ran(seed) });
});

/** Runs a seed until its end or a stop request, which takes effect between two events. */
function ran(seed: string): Counted | Unfinished {
  const running = runSeed(seed, worlds);
  let slice = running.next();
  while (slice.done !== true) {
    if (isStopped(stop)) return { unfinished: seed };
    slice = running.next(false);
  }
  return countedOf(slice.value);
}
