/** Worker thread of a campaign: runs the seeds that it receives, and answers with counts or an unfinished seed. */
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { runToEnd, unlessStopped } from "../../run/interruptible.ts";
import { type GeneratorOptions, runSeed } from "../../search/fuzz/seed-run.ts";
import { countsOf } from "../../search/fuzz/tally.ts";
import { answerJobs, isStopped, type ThreadData } from "../worker-pool.ts";
import type { TimedCounts, Unfinished } from "./campaign.ts";

await loadQuickKeccak();
answerJobs<string, GeneratorOptions>(ran);

/** Runs a seed until its end or a stop request, which takes effect between two events. */
function ran(seed: string, { data: generator, stop }: ThreadData<GeneratorOptions>): TimedCounts | Unfinished {
  const began = performance.now();
  const run = runToEnd(unlessStopped(runSeed(seed, generator), () => !isStopped(stop)));
  return run === undefined ? { unfinished: seed } : { ...countsOf(run), ms: performance.now() - began };
}
