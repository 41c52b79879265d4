/** Worker thread of a campaign's jobs: works on the job that it receives, and tells what happens in it. */
import { parentPort, workerData } from "node:worker_threads";
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { type Slice, workOn } from "../../campaign/do-job.ts";
import { required } from "../../core/base/assert.ts";
import { isStopped, type ThreadData } from "../worker-pool.ts";
import { ALIVE_MS, type Given, type JobThreadData, type Told } from "./thread.ts";

await loadQuickKeccak();
const port = required(parentPort ?? undefined, "message port of the main thread");
const { data, stop } = workerData as ThreadData<JobThreadData>;

port.on("message", (given: Given) => tell({ type: "end", ...done(given) }));

function tell(told: Told): void {
  port.postMessage(told);
}

/** Works on a job, and says at least every `ALIVE_MS` between two events that it is alive. */
function done({ job, guidance }: Given): { readonly isStopped: boolean; readonly error: string | null } {
  let told = performance.now();
  try {
    const work = workOn(job, { ...data, now: () => performance.now() }, guidance);
    let slice = work.next();
    while (slice.done !== true) {
      const now = performance.now();
      if (slice.value !== undefined || now - told > ALIVE_MS) {
        tell({ type: "slice", slice: slice.value satisfies Slice });
        told = now;
      }
      slice = work.next(isStopped(stop));
    }
    return { isStopped: slice.value === "stopped", error: null };
  } catch (error) {
    return { isStopped: false, error: error instanceof Error ? error.message : String(error) };
  }
}
