/** Worker thread of a campaign: runs the seeds that it receives, and answers with counts or an unfinished seed. */
import { parentPort, workerData } from "node:worker_threads";
import { required } from "../../core/base/assert.ts";
import { type GeneratorOptions, runSeed } from "../../search/fuzz/seed-run.ts";
import { countsOf, type RunCounts } from "../../search/fuzz/tally.ts";
import { isStopped, type Posted, type ThreadData } from "../worker-pool.ts";
import type { Unfinished } from "./campaign.ts";

const port = required(parentPort ?? undefined, "message port of the main thread");
const { data: worlds, stop } = workerData as ThreadData<GeneratorOptions>;

port.on("message", ({ place, what: seed }: Posted<string>) => {
  port.postMessage({ place, what: ran(seed) });
});

/** Runs a seed until its end or a stop request, which takes effect between two events. */
function ran(seed: string): RunCounts | Unfinished {
  const running = runSeed(seed, worlds);
  let slice = running.next();
  while (slice.done !== true) {
    if (isStopped(stop)) return { unfinished: seed };
    slice = running.next(false);
  }
  return countsOf(slice.value);
}
