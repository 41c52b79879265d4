/** Job of a campaign: one seed. */
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../search/fuzz/seed-run.ts";
import { countsOf, type RunCounts } from "../../search/fuzz/tally.ts";

/** Finished run of a seed. */
interface FinishedSeed {
  readonly counts: RunCounts;
  /** `undefined` if the run passed. */
  readonly failing: SeedRun | undefined;
  /** Milliseconds that the run took. */
  readonly ms: number;
}

/** Draws and runs a seed; returns `undefined` if it was stopped inside. */
export function* fuzzJob(
  seed: string,
  generator: GeneratorOptions,
  now: () => number,
): Interruptible<FinishedSeed | undefined> {
  const began = now();
  const run = yield* unlessStopped(runSeed(seed, generator));
  if (run === undefined) return undefined;
  return { counts: countsOf(run), failing: run.signature === undefined ? undefined : run, ms: now() - began };
}
