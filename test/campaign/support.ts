/** Plans, and the verdicts that a campaign has to reach: those of `fuzz` over the same seeds, in this thread. */
import { attemptJob } from "../../src/campaign/attempt.ts";
import { campaignJob } from "../../src/campaign/do-job.ts";
import type { Plan } from "../../src/campaign/job.ts";
import type { JobRunner } from "../../src/campaign/queue.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import { compareSeeds } from "../../src/campaign/summary.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { failureSignatureKey } from "../../src/search/fuzz/failure-signature.ts";
import { seedsOf } from "../../src/search/fuzz/guided-seeds.ts";
import { type GeneratorOptions, runSeed } from "../../src/search/fuzz/seed-run.ts";

/** A variant that some of the first seeds detect. */
export const FAILING: GeneratorOptions = { profile: "quick", bug: "rounded-up-fees" };

export function planWith(more: Partial<Plan>): Plan {
  return {
    generator: FAILING,
    first: "1",
    seeds: 12,
    range: 3,
    replay: [],
    worldMs: 600_000,
    shrinkRuns: 10,
    keep: "all",
    program: { quorumlab: "0.1.0", commit: "a".repeat(40) },
    ...more,
  };
}

/** Seed, failure signature and hash of each world, in the order of the seeds. */
export type Verdicts = readonly (readonly [seed: string, signature: string | null, hash: string | null])[];

export function verdictsOf(results: readonly JobResult[]): Verdicts {
  return results
    .flatMap((result) => [...result])
    .flatMap((row) => (row.type === "world" ? [row] : []))
    .sort((a, b) => compareSeeds(a.seed, b.seed))
    .map(({ seed, signature, hash }) => [seed, signature, hash]);
}

/** The verdicts of `fuzz`. */
export function verdictsOfFuzz({ generator, first, seeds }: Plan): Verdicts {
  return seedsOf(BigInt(first), seeds).map((seed) => {
    const { signature, result } = runToEnd(runSeed(seed, generator));
    return [seed, signature === undefined ? null : failureSignatureKey(signature), result.hash];
  });
}

/** A worker that does each job at once, with a clock that stands still. */
export const doAtOnce: JobRunner = (job) => {
  const carryOut: Parameters<typeof attemptJob>[1] = async (one, onSlice) => {
    const work = campaignJob(one, { worldMs: 1, shrinkRuns: 10 }, () => 0);
    let slice = work.next();
    for (; slice.done !== true; slice = work.next()) onSlice(slice.value);
    return slice.value;
  };
  return attemptJob(job, carryOut, { keep: "all", worker: "test", now: () => 0, isSilence: () => false });
};
