/** A campaign in threads, or in this one where there are none: the same runs are told in the same order. */
import { campaign, isOver } from "../../search/fuzz/campaign.ts";
import { runSeed, type SeedRun, type Worlds } from "../../search/fuzz/seed-run.ts";
import { inTurn, type SeedSource } from "../../search/fuzz/seeds.ts";
import { SteeredSeeds } from "../../search/fuzz/steer.ts";
import { type Counted, type FailureClass, Tally } from "../../search/fuzz/tally.ts";
import { Attended } from "../attended.ts";
import type { Io } from "../io.ts";
import type { FuzzOptions } from "./fuzz-options.ts";
import { HAS_THREADS, runPool } from "./pool.ts";
import type { Unfinished } from "./unfinished.ts";

/** Whoever looks on. */
export interface Campaigner {
  readonly io: Io;
  /** Asked again and again, also inside a world: whether the campaign goes on. */
  readonly goesOn: () => boolean;
  /** Told of each run that failed, and of the class that it falls into. */
  readonly failed: (run: SeedRun, failure: FailureClass) => void;
  /** Told after each run how many there were so far, and how many of them failed. */
  readonly counted: (runs: number, failed: number) => void;
}

/** What came of it. */
export interface Campaigned {
  readonly tally: Tally;
  readonly isInterrupted: boolean;
}

/** Runs what is asked for, until it is done or somebody stops it. @throws whatever a thread threw. */
export async function runCampaign(options: FuzzOptions, campaigner: Campaigner): Promise<Campaigned> {
  const { seeds, steers, threads } = options;
  const source = steers ? new SteeredSeeds(seeds) : inTurn(seeds);
  return threads > 1 && HAS_THREADS
    ? inThreads(options, source, campaigner)
    : inThisThread(options, source, campaigner);
}

async function inThisThread(
  { worlds, stopAfter }: FuzzOptions,
  seeds: SeedSource,
  { io, goesOn, failed, counted }: Campaigner,
): Promise<Campaigned> {
  let [runs, failures] = [0, 0];
  const heard = (run: SeedRun, failure: FailureClass | undefined): void => {
    runs += 1;
    if (failure !== undefined) {
      failures += 1;
      failed(run, failure);
    }
    counted(runs, failures);
  };
  const attended = new Attended(io);
  const tally = await attended.finish(campaign({ worlds, seeds, goesOn, stopAfter, heard }));
  return { tally, isInterrupted: attended.isInterrupted };
}

async function inThreads(
  { worlds, stopAfter, threads }: FuzzOptions,
  seeds: SeedSource,
  { io, goesOn, failed, counted }: Campaigner,
): Promise<Campaigned> {
  const tally = new Tally();
  let isInterrupted = false;
  const heard = async (one: Counted | Unfinished): Promise<"on" | "end"> => {
    if ("unfinished" in one) {
      tally.leave(one.unfinished);
      return "on";
    }
    seeds.told(one);
    const failure = tally.add(one);
    if (failure !== undefined) failed(await again(one, worlds, io), failure);
    counted(tally.runs, tally.failed);
    return isOver(tally, stopAfter) ? "end" : "on";
  };
  const watch = async (): Promise<"on" | "stop"> => {
    isInterrupted ||= await io.interrupted();
    return isInterrupted || !goesOn() ? "stop" : "on";
  };
  const worker = new URL("./worker.js", import.meta.url);
  await runPool({ worker, data: worlds, take: () => seeds.take(), threads, heard, watch });
  return { tally, isInterrupted };
}

/**
 * The same run in this thread, to its end: threads send only what is counted. Costs as much as the run in the thread.
 * @throws Error where it is another one.
 */
async function again({ seed, hash }: Counted, worlds: Worlds, io: Io): Promise<SeedRun> {
  const running = runSeed(seed, worlds);
  let slice = running.next();
  while (slice.done !== true) {
    // Lets the threads' answers and the clock come in between. A failure that a thread has found is told in full.
    await io.interrupted();
    slice = running.next(false);
  }
  const run = slice.value;
  if (run.result.hash === hash) return run;
  throw new Error(`seed ${seed} had the hash ${hash} in a thread and has ${run.result.hash} here`);
}
