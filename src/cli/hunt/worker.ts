/** Worker thread of a hunt: runs the jobs that it receives and sends back the results. */
import { parentPort } from "node:worker_threads";
import { required } from "../../core/base/assert.ts";
import { runToEnd } from "../../run/interruptible.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import type { Posted } from "../worker-pool.ts";
import { timedJob } from "./jobs.ts";

const port = required(parentPort ?? undefined, "message port of the main thread");
const parser = createParser();

port.on("message", ({ place, what: job }: Posted<Job>) => {
  port.postMessage({ place, what: runToEnd(timedJob(job, parser, () => performance.now())) });
});
