/** Kinds of jobs, and the function that carries out a job of each. A thread loads the code of its own kind only. */

/**
 * Work on one job, some events at a time: yields what it has to report before its result, or `undefined`. `next(true)`
 * ends it early, with a result that says so.
 */
type JobWork<Slice, Result> = Generator<Slice | undefined, Result, boolean | undefined>;

/** Jobs, settings, slices and results are plain data for the transfer between threads. `now`: milliseconds of a steady clock. */
type CarryOut = (job: never, settings: never, now: () => number) => JobWork<unknown, unknown>;

const KINDS = {
  campaign: async () => (await import("../../campaign/do-job.ts")).campaignJob,
  fuzz: async () => (await import("../fuzz/job.ts")).fuzzJob,
  hunt: async () => (await import("../hunt/job.ts")).huntJob,
  minimize: async () => (await import("../hunt/job.ts")).minimizeJob,
  run: async () => (await import("../run/execution.ts")).executeFile,
} satisfies Readonly<Record<string, () => Promise<CarryOut>>>;

export type JobKind = keyof typeof KINDS;
type CarryOutOf<K extends JobKind> = Awaited<ReturnType<(typeof KINDS)[K]>>;
export type JobOf<K extends JobKind> = Parameters<CarryOutOf<K>>[0];
export type SettingsOf<K extends JobKind> = Parameters<CarryOutOf<K>>[1];
type WorkOf<K extends JobKind> = ReturnType<CarryOutOf<K>>;
export type SliceOf<K extends JobKind> = WorkOf<K> extends JobWork<infer Slice, unknown> ? Slice | undefined : never;
export type ResultOf<K extends JobKind> = WorkOf<K> extends JobWork<unknown, infer Result> ? Result : never;

/** Returns the function that starts the work on a job of a kind. */
export async function workOf<K extends JobKind>(
  kind: K,
): Promise<(job: JobOf<K>, settings: SettingsOf<K>, now: () => number) => JobWork<SliceOf<K>, ResultOf<K>>> {
  return (await KINDS[kind]()) as never;
}
