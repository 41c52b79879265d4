/** Campaign over many seeds, whose results do not depend on the number of threads. */
import { seedSource } from "../../search/fuzz/guided.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../search/fuzz/seed-run.ts";
import { type FailureClass, type RunCounts, Tally } from "../../search/fuzz/tally.ts";
import type { Io } from "../io.ts";
import { runJobs } from "../jobs/run-jobs.ts";
import { workersFor } from "../jobs/workers.ts";

/** Seeds, limits and threads of a campaign. */
export interface CampaignOptions {
  readonly generator: GeneratorOptions;
  /** Seeds, in the order of an unguided campaign. */
  readonly seeds: readonly string[];
  /** True if rare coverage points determine the next seeds. */
  readonly isGuided: boolean;
  /** Limit of failing runs. */
  readonly stopAfter: number | undefined;
  readonly threads: number;
}

/** Callbacks of a campaign. */
interface CampaignCallbacks {
  readonly io: Pick<Io, "interrupted" | "now">;
  /** Called repeatedly, also inside a run; the campaign stops if it returns false. */
  readonly goesOn: () => boolean;
  /** Called with each failing run and its failure class. The first run of a class has the same hash when it is repeated. */
  readonly failed: (run: SeedRun, failure: FailureClass) => void;
  /** Called after each run with the counts so far. `ms`: milliseconds that it took. */
  readonly counted: (tally: Tally, run: Pick<RunCounts, "seed" | "events"> & { readonly ms: number }) => void;
}

/** Result of the campaign. */
type CampaignResult = Readonly<{ tally: Tally; isInterrupted: boolean }>;

/**
 * Runs a campaign until its end or an interruption. A run stopped inside counts as unfinished, neither passed nor failed.
 * @throws the errors of workers.
 */
export async function runCampaign(
  { generator, seeds, isGuided, stopAfter, threads }: CampaignOptions,
  { io, goesOn, failed, counted }: CampaignCallbacks,
): Promise<CampaignResult> {
  const source = seedSource(seeds, isGuided);
  const tally = new Tally();
  let isInterrupted = false;
  const isStopped = async (): Promise<boolean> => {
    isInterrupted ||= await io.interrupted();
    return isInterrupted || !goesOn();
  };
  await runJobs({
    workers: workersFor({ kind: "fuzz", settings: generator, threads, isStopped, now: () => io.now() }),
    take: () => source.take(),
    onResult: async (run, seed) => {
      if (run === undefined) {
        tally.addUnfinished(seed);
        return undefined;
      }
      const { counts, failing, ms } = run;
      source.onRun(counts);
      const failure = tally.add(counts);
      if (failing !== undefined && failure !== undefined) {
        if (failure.seeds[0] === seed) await repeatRun(failing, generator, io);
        failed(failing, failure);
      }
      counted(tally, { seed, events: counts.events, ms });
      return stopAfter !== undefined && tally.failed >= stopAfter ? "end" : undefined;
    },
  });
  return { tally, isInterrupted };
}

/** Repeats a run in this thread, at its cost. @throws Error if the hashes differ. */
export async function repeatRun(
  { seed, result: { hash } }: Pick<SeedRun, "seed" | "result">,
  generator: GeneratorOptions,
  io: Pick<Io, "interrupted">,
): Promise<void> {
  const work = runSeed(seed, generator);
  let slice = work.next();
  while (slice.done !== true) {
    // Lets this thread take results of the other threads. An interrupt does not end a repetition.
    await io.interrupted();
    slice = work.next(false);
  }
  const { hash: second } = slice.value.result;
  if (second !== hash)
    throw new Error(`seed ${seed} is not deterministic: hash ${hash} in its run, ${second} when repeated`);
}
