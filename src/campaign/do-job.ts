/** Work on one job, a slice of a few events at a time, so that the caller can watch, stop and bound it. */
import { requireDefined, unreachable } from "../core/base/assert.ts";
import { type NodeSettings, programsOf } from "../external/nodes.ts";
import { type Interruptible, unlessStopped } from "../run/interruptible.ts";
import { runInSlices } from "../run/run.ts";
import { createParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { failureSignatureKey, hasSignature } from "../search/fuzz/failure-signature.ts";
import { seedsOf } from "../search/fuzz/guided-seeds.ts";
import { scenarioText } from "../search/fuzz/scenario-text.ts";
import { runSeed, worldOfSeed } from "../search/fuzz/seed-run.ts";
import { countsOf, type RunCounts, Tally } from "../search/fuzz/tally.ts";
import { shrink, withoutExpectedViolation } from "../search/shrink/shrink.ts";
import { why } from "../search/why/why.ts";
import { type FuzzWork, type Job, jobOf, partsOf, type ReplayWork, type ShrinkWork, type WhyWork } from "./job.ts";
import type { ContentRow, ShrunkRow, WorldRow } from "./rows.ts";

/** Slice of a job: a row, a job to queue before this one ends, the world that begins, or nothing to tell. */
export type Slice = ContentRow | { readonly type: "follow"; readonly job: Job } | WorldBegin | undefined;

/** Begin of a world of a range, with the seeds before it. */
interface WorldBegin {
  readonly type: "begins";
  readonly seed: string;
  readonly place: number;
}

/** Slices of a job; returns true if `next(true)` ended it. */
type JobGenerator = Generator<Slice, boolean, boolean | undefined>;

interface JobBounds {
  /** Milliseconds after which a world is stopped between two events. */
  readonly worldMs: number;
  /** Limit of runs of a job that minimizes a failure of this one. */
  readonly shrinkRuns: number;
  /** Validators that others wrote, of this worker's command line. */
  readonly nodes?: NodeSettings | undefined;
}

/** Signature of a world that did not come to its end. */
export const UNENDED = {
  hung: "hung / none / the world was stopped after its time",
  died: "died / none / the thread ended inside the world",
} as const;

/** `error`: why the job could not be done, `null` if it was. */
export type JobEnd = Readonly<{ isStopped: boolean; error: string | null }>;

/**
 * Works on a job. `now`: a steady clock in milliseconds, which fills the columns `ms` and bounds worlds, and affects no
 * verdict.
 */
export function* campaignJob(
  job: Job,
  bounds: JobBounds,
  now: () => number,
): Generator<Slice, JobEnd, boolean | undefined> {
  try {
    return { isStopped: yield* executeJob(job, bounds, now), error: null };
  } catch (error) {
    return { isStopped: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws AssertionError for a job that this program cannot know, such as an unknown variant. */
function* executeJob({ id, work }: Job, bounds: JobBounds, now: () => number): JobGenerator {
  switch (work.kind) {
    case "fuzz":
      return yield* fuzzRange(id, work, bounds, now);
    case "split":
      for (const job of partsOf(work)) yield { type: "follow", job };
      return false;
    case "shrink":
      return yield* rowOf(shrinkSeed(id, work, bounds), causesOf);
    case "replay":
      return yield* rowOf(replayFinding(id, work, bounds));
    case "why":
      return yield* findCauses(id, work, bounds, now);
    default:
      return unreachable(work);
  }
}

/** Yields the one row of a work, if it came to its end, and the job that follows from it. */
function* rowOf<Row extends ContentRow>(work: Interruptible<Row>, next?: (row: Row) => Job): JobGenerator {
  const row = yield* unlessStopped(work);
  if (row === undefined) return true;
  yield row;
  if (next !== undefined) yield { type: "follow", job: next(row) };
  return false;
}

/** Milliseconds for the causes of one finding: those of most are found sooner. */
const CAUSES_MS = 20_000;

function causesOf({ signature: key, text, small_seed: seed }: ShrunkRow): Job {
  return jobOf({ kind: "why", key, text, seed });
}

function* findCauses(job: string, { key, text, seed }: WhyWork, { nodes }: JobBounds, now: () => number): JobGenerator {
  const scenario = withoutExpectedViolation(scenarioIn(key, text));
  const start = now();
  const search = why({ scenario, seed, programs: programsOf(nodes) });
  let slice = search.next();
  while (slice.done !== true) {
    if (yield) return true;
    slice = search.next(now() - start > CAUSES_MS);
  }
  yield { type: "why", job, key, why: slice.value ?? null };
  return false;
}

function* fuzzRange(job: string, work: FuzzWork, bounds: JobBounds, now: () => number): JobGenerator {
  const { worldMs, shrinkRuns: runs, nodes } = bounds;
  const { profile, bug } = work;
  const tally = new Tally();
  for (const [place, seed] of seedsOf(BigInt(work.first), work.count).entries()) {
    yield { type: "begins", seed, place };
    const start = now();
    const world = runSeed(seed, { profile, bug, nodes });
    let slice = world.next();
    let isHung = false;
    while (slice.done !== true && !isHung) {
      if (yield) return true;
      isHung = now() - start > worldMs;
      if (!isHung) slice = world.next(false);
    }
    const ms = now() - start;
    if (slice.done !== true) {
      yield unendedRow(job, seed, "hung", ms);
      continue;
    }
    const counts = countsOf(slice.value);
    const failure = tally.add(counts);
    yield worldRow(job, counts, ms);
    if (failure?.seeds[0] !== seed) continue;
    const { signature } = failure;
    yield { type: "follow", job: jobOf({ kind: "shrink", profile, bug, seed, signature, runs }) };
  }
  for (const { point: name, hits, runs, faults } of tally.coverage)
    if (runs > 0) yield { type: "coverage", job, name, hits, runs, runs_by: Object.fromEntries(faults) };
  for (const [name, runs] of tally.occurrences) yield { type: "occurrence", job, name, runs };
  return false;
}

function worldRow(job: string, counts: RunCounts, ms: number): WorldRow {
  const { seed, signature, hash, events, operations, finals: final, faults } = counts;
  return {
    type: "world",
    job,
    seed,
    verdict: signature === undefined ? "pass" : "fail",
    signature: signature === undefined ? null : failureSignatureKey(signature),
    hash,
    events,
    operations,
    final,
    faults,
    ms: roundToTenths(ms),
  };
}

/** Returns the row of a world that did not come to its end. */
export function unendedRow(job: string, seed: string, why: keyof typeof UNENDED, ms: number): WorldRow {
  const counts = { hash: null, events: 0, operations: 0, final: 0, faults: [] };
  return { type: "world", job, seed, verdict: "fail", signature: UNENDED[why], ...counts, ms: roundToTenths(ms) };
}

export function roundToTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** @throws AssertionError for a text that is no scenario: `start` has parsed it. */
function scenarioIn(file: string, text: string): Scenario {
  const parsed = createParser().parse(text);
  return requireDefined(parsed.ok ? parsed.value : undefined, `a scenario in ${file}`);
}

function* shrinkSeed(
  job: string,
  { seed, profile, bug, signature, runs }: ShrinkWork,
  { nodes }: JobBounds,
): Interruptible<ShrunkRow> {
  const { scenario } = worldOfSeed(seed, { profile, bug, nodes });
  const failing = { scenario, seed, programs: programsOf(nodes) };
  const found = yield* shrink(failing, { parser: createParser(), runs, signature });
  const { scenario: small, seed: small_seed, isMinimal: minimal } = requireDefined(found, `a failure of seed ${seed}`);
  const key = failureSignatureKey(signature);
  const text = scenarioText(small, [key, `minimized from seed ${seed} of profile ${profile}`], small_seed);
  return { type: "shrunk", job, signature: key, seed, text, small_seed, steps: small.steps?.length ?? 0, minimal };
}

function* replayFinding(
  job: string,
  { key, text, seed, signature }: ReplayWork,
  { nodes }: JobBounds,
): Interruptible<ContentRow> {
  const kept = scenarioIn(key, text);
  const result = yield* runInSlices(kept, { seed, programs: programsOf(nodes) });
  return { type: "replay", job, key, shows: hasSignature(kept, result, signature) };
}
