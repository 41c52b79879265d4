/** Thread that carries out jobs of one kind, one after the other, and reports what happens in them. */
import { parentPort, workerData } from "node:worker_threads";
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { requireDefined } from "../../core/base/assert.ts";
import { ALIVE_MS, type JobKind, type JobOf, type Message, type ThreadData, workOf } from "./workers.ts";

await loadQuickKeccak();
const port = requireDefined(parentPort ?? undefined, "message port of the main thread");
const { kind, settings, stop } = workerData as ThreadData<JobKind>;
const start = await workOf(kind);
const now = (): number => performance.now();

port.on("message", (job: JobOf<JobKind>) => {
  const work = start(job, settings, now);
  let posted = now();
  let slice = work.next();
  while (slice.done !== true) {
    if (slice.value !== undefined || now() - posted > ALIVE_MS) {
      post({ type: "slice", slice: slice.value });
      posted = now();
    }
    slice = work.next(Atomics.load(stop, 0) !== 0);
  }
  post({ type: "result", result: slice.value });
});

function post(message: Message<JobKind>): void {
  port.postMessage(message);
}
