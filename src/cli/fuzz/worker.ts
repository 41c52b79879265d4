/** A thread of a campaign: runs the seeds that it is sent and sends back what is counted of them. */
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../../core/base/assert.ts";
import { runSeed, type Worlds } from "../../harness/fuzz/seed-run.ts";
import { countedOf } from "../../harness/fuzz/tally.ts";
import { finished } from "../../harness/sliced.ts";
import type { Posted } from "./pool.ts";

const port = present(parentPort ?? undefined, "the thread that started this one");
const worlds = workerData as Worlds;

port.on("message", ({ place, what: seed }: Posted<string>) => {
  port.postMessage({ place, what: countedOf(finished(runSeed(seed, worlds))) });
});
