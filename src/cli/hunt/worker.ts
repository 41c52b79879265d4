/** Worker thread of a hunt: runs the jobs that it receives and sends back the results. */
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { runToEnd } from "../../run/interruptible.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Job } from "../../search/hunt/jobs.ts";
import { answerJobs } from "../worker-pool.ts";
import { timedJob } from "./jobs.ts";

const parser = createParser();

await loadQuickKeccak();
answerJobs((job: Job) => runToEnd(timedJob(job, parser, () => performance.now())));
