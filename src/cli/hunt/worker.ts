/** Worker thread of a hunt: runs the jobs that it receives and sends back the results. */
import { parentPort } from "node:worker_threads";
import { present } from "../../core/base/assert.ts";
import { finished } from "../../run/sliced.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import type { Posted } from "../fuzz/pool.ts";
import { timedJob } from "./timed-job.ts";

const port = present(parentPort ?? undefined, "message port of the main thread");
const parser = createParser();

port.on("message", ({ place, what: job }: Posted<Job>) => {
  port.postMessage({ place, what: finished(timedJob(job, parser, () => performance.now())) });
});
