/** Campaign in worker threads, or in the main thread if there are none, with the same results in the same order. */
import { campaign, isOver } from "../../search/fuzz/campaign.ts";
import { seedSource } from "../../search/fuzz/guided.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../search/fuzz/seed-run.ts";
import type { SeedSource } from "../../search/fuzz/seeds.ts";
import { type FailureClass, type RunCounts, Tally } from "../../search/fuzz/tally.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { builtWorker, HAS_THREADS, runPool } from "../worker-pool.ts";

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
interface Campaigner {
  readonly io: Io;
  /** Called repeatedly, also inside a run; the campaign stops if it returns false. */
  readonly goesOn: () => boolean;
  /** Called with each failing run and its failure class. */
  readonly failed: (run: SeedRun, failure: FailureClass) => void;
  /** Called after each run with the counts so far. */
  readonly counted: (tally: Tally, run: TimedRun) => void;
}

/** A run with the milliseconds that it took. */
type TimedRun = Pick<RunCounts, "seed" | "events"> & { readonly ms: number };

/** Counts of a run in a worker. */
export type TimedCounts = RunCounts & TimedRun;

/** Result of the campaign. */
type Campaigned = Readonly<{ tally: Tally; isInterrupted: boolean }>;

/** Runs a campaign until its end or an interruption. @throws the errors of workers. */
export async function runCampaign(options: CampaignOptions, campaigner: Campaigner): Promise<Campaigned> {
  const { seeds, isGuided, threads } = options;
  const source = seedSource(seeds, isGuided);
  return threads > 1 && HAS_THREADS
    ? inThreads(options, source, campaigner)
    : inThisThread(options, source, campaigner);
}

async function inThisThread(
  { generator, stopAfter }: CampaignOptions,
  seeds: SeedSource,
  { io, goesOn, failed, counted }: Campaigner,
): Promise<Campaigned> {
  let began = io.now();
  const onCounts = (run: SeedRun, failure: FailureClass | undefined, tally: Tally): void => {
    const ms = io.now() - began;
    if (failure !== undefined) failed(run, failure);
    counted(tally, { seed: run.seed, events: run.result.steps, ms });
    began = io.now();
  };
  const work = new InterruptibleWork(io);
  const tally = await work.finish(campaign({ generator, seeds, goesOn, stopAfter, onCounts }));
  return { tally, isInterrupted: work.isInterrupted };
}

async function inThreads(
  { generator, stopAfter, threads }: CampaignOptions,
  seeds: SeedSource,
  { io, goesOn, failed, counted }: Campaigner,
): Promise<Campaigned> {
  const tally = new Tally();
  let isInterrupted = false;
  const onPosted = async (one: TimedCounts | Unfinished): Promise<"on" | "end"> => {
    if ("unfinished" in one) {
      tally.addUnfinished(one.unfinished);
      return "on";
    }
    seeds.onRun(one);
    const failure = tally.add(one);
    if (failure !== undefined) failed(await again(one, generator, io), failure);
    counted(tally, one);
    return isOver(tally, stopAfter) ? "end" : "on";
  };
  const watch = async (): Promise<"on" | "stop"> => {
    isInterrupted ||= await io.interrupted();
    return isInterrupted || !goesOn() ? "stop" : "on";
  };
  const worker = builtWorker("cli/fuzz/worker.js");
  await runPool({ worker, data: generator, take: () => seeds.take(), threads, onPosted, watch });
  return { tally, isInterrupted };
}

/**
 * Repeats the run in this thread, since workers send only counts. Costs as much as the run in the worker. @throws Error
 * if the hashes differ.
 */
async function again({ seed, hash }: RunCounts, worlds: GeneratorOptions, io: Io): Promise<SeedRun> {
  const running = runSeed(seed, worlds);
  let slice = running.next();
  while (slice.done !== true) {
    // Yields to the workers' answers and the clock. A failure found by a worker is reported in full.
    await io.interrupted();
    slice = running.next(false);
  }
  const run = slice.value;
  if (run.result.hash === hash) return run;
  throw new Error(`seed ${seed} is not deterministic: hash ${hash} in a worker, ${run.result.hash} in the main thread`);
}

/** Result of a worker whose run was stopped inside. */
export interface Unfinished {
  /** Seed of the run. */
  readonly unfinished: string;
}
