/**
 * Counts of a campaign, coverage points attributed to kinds of faults among them, and its course: its state after some of
 * its runs. Runs are added in the order of their seeds, so the counts do not depend on threads.
 */
import { addOperations, type CountsByKind, type OperationCounts, type SubmissionKind } from "../../run/run-record.ts";
import { type AnyCoveragePoint, COVERAGE_POINT_NAMES } from "../../scenario/coverage-points.ts";
import { type FailureSignature, failureSignatureKey } from "./failure-signature.ts";
import {
  FAULT_KINDS,
  type FaultKind,
  faultKindsIn,
  type Occurrence,
  occurrencesIn,
  shortcomingsOf,
} from "./occurrences.ts";
import type { SeedRun } from "./seed-run.ts";

/** Counted facts of a run: plain data for the transfer between threads. */
export interface RunCounts {
  readonly seed: string;
  readonly signature: FailureSignature | undefined;
  readonly hash: string;
  readonly events: number;
  readonly finals: number;
  readonly operations: number;
  readonly operationCounts: CountsByKind;
  /** Steps of the drawn scenario, and those without an effect; none of a run that stopped early. */
  readonly steps: number;
  readonly idle: number;
  readonly occurrences: ReadonlySet<Occurrence>;
  readonly coverage: ReadonlyMap<AnyCoveragePoint, number>;
  readonly faults: readonly FaultKind[];
}

/** Failing runs with one failure signature. */
export interface FailureClass {
  readonly key: string;
  readonly signature: FailureSignature;
  /** Seeds in order; the first represents all. */
  readonly seeds: readonly string[];
}

/** Hits of a coverage point, runs that reached it, and such runs for each kind of fault. */
interface CoverageCount {
  readonly point: AnyCoveragePoint;
  readonly hits: number;
  readonly runs: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
}

const NEVER: Omit<CoverageCount, "point"> = { hits: 0, runs: 0, faults: new Map() };

export class Tally {
  /** False where the worlds are not of a profile, which has to reach a share of everything. */
  readonly #isOfProfile: boolean;
  /** Finished runs. */
  runs = 0;
  failed = 0;
  /** Runs without a final operation: they show nothing. */
  empty = 0;
  events = 0;
  /** Operations submitted by clients over all runs, retries not counted. */
  operations = 0;
  /** Their outcomes, by kind. */
  readonly operationCounts = new Map<SubmissionKind, OperationCounts>();
  /** Final ones of those, cancellations and recoveries included. */
  finals = 0;
  /** Drawn steps and rules over all runs that ended by themselves. */
  steps = 0;
  /** Those of them that had no effect. */
  idle = 0;
  /** Runs with each occurrence. */
  readonly occurrences = new Map<Occurrence, number>();
  /** Seeds whose runs were stopped before their end, which no count includes. */
  readonly unfinished: string[] = [];
  readonly #classes = new Map<string, FailureClass>();
  readonly #counts = new Map<AnyCoveragePoint, Omit<CoverageCount, "point">>();

  constructor(isOfProfile = true) {
    this.#isOfProfile = isOfProfile;
  }

  /** Counts one run; returns its failure class if it failed. */
  add({
    seed,
    signature,
    events,
    finals,
    operations,
    operationCounts,
    steps,
    idle,
    occurrences,
    coverage,
    faults,
  }: RunCounts): FailureClass | undefined {
    this.runs += 1;
    this.events += events;
    this.finals += finals;
    this.operations += operations;
    this.steps += steps;
    this.idle += idle;
    for (const name of occurrences) this.occurrences.set(name, (this.occurrences.get(name) ?? 0) + 1);
    if (finals === 0) this.empty += 1;
    addOperations(this.operationCounts, operationCounts);
    for (const [point, hits] of coverage) {
      const count = this.#counts.get(point) ?? NEVER;
      this.#counts.set(point, {
        hits: count.hits + hits,
        runs: count.runs + 1,
        faults: incrementKinds(count.faults, faults),
      });
    }
    if (signature === undefined) return undefined;
    this.failed += 1;
    const key = failureSignatureKey(signature);
    const earlierClass = this.#classes.get(key);
    const failureClass = { key, signature, seeds: [...(earlierClass?.seeds ?? []), seed] };
    this.#classes.set(key, failureClass);
    return failureClass;
  }

  /** Why the runs show little, as clauses; of worlds of a profile alone. */
  get shortcomings(): readonly string[] {
    return this.#isOfProfile ? shortcomingsOf(this) : [];
  }

  /** Failure classes in the order in which they were found. */
  get classes(): readonly FailureClass[] {
    return [...this.#classes.values()];
  }

  /** All coverage points, missed ones included. */
  get coverage(): readonly CoverageCount[] {
    return COVERAGE_POINT_NAMES.map((point) => ({ point, ...(this.#counts.get(point) ?? NEVER) }));
  }

  /** Number of coverage points reached, and of those that runs with each kind of fault reached. */
  get reached(): { readonly points: number; readonly by: Readonly<Record<string, number>> } {
    const kinds = FAULT_KINDS.map((kind) => {
      const reached = [...this.#counts.values()].filter(({ faults }) => faults.has(kind)).length;
      return [kind, reached] as const;
    });
    return { points: this.#counts.size, by: Object.fromEntries(kinds.filter(([, points]) => points > 0)) };
  }
}

function incrementKinds(
  before: ReadonlyMap<FaultKind, number>,
  kinds: readonly FaultKind[],
): ReadonlyMap<FaultKind, number> {
  const counts = new Map(before);
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Returns the counted facts of a run. */
export function countsOf({ seed, scenario, drawn, signature, result }: SeedRun): RunCounts {
  const { hash, steps: events, finals, operations, operationCounts, idle, cutShort, coverage } = result;
  return {
    seed,
    signature,
    hash,
    events,
    finals: finals.length,
    operations,
    operationCounts,
    steps: cutShort === undefined ? (scenario.steps ?? []).length : 0,
    idle: idle.length,
    occurrences: occurrencesIn({ scenario, drawn }, result),
    coverage,
    faults: faultKindsIn(scenario),
  };
}

/** State after a number of runs. */
export interface CoursePoint {
  readonly type: "progress";
  readonly runs: number;
  readonly failed: number;
  /** Failure signatures. */
  readonly distinct: number;
  readonly events: number;
  /** Coverage points that were reached. */
  readonly points: number;
  /** Such points by a kind of fault that a run had which reached them. */
  readonly by: Readonly<Record<string, number>>;
  /** Milliseconds so far: of the clock for `fuzz`, of work over all threads for a campaign of jobs. */
  readonly wall_ms: number;
}

export interface SlowRun {
  readonly type: "slow";
  readonly seed: string;
  readonly events: number;
  readonly wall_ms: number;
}

/** Share of the runs between two points: some hundred for any campaign. */
const SHARE = 1 / 16;
/** Runs that are named. */
const SLOWEST = 10;

export class Course {
  #next = 1;
  #last = 0;
  #slowest: readonly SlowRun[] = [];

  /** True if the state after so many runs is worth a point. */
  isDue(runs: number): boolean {
    if (runs < this.#next) return false;
    this.#next = runs + Math.max(1, Math.floor(runs * SHARE));
    this.#last = runs;
    return true;
  }

  /** True if the state at the end is a point of its own. */
  isOpen(runs: number): boolean {
    return runs > this.#last;
  }

  noteSlowRun({ seed, events, ms }: Pick<SlowRun, "seed" | "events"> & { readonly ms: number }): void {
    const least = this.#slowest.at(SLOWEST - 1);
    if (least !== undefined && least.wall_ms >= ms) return;
    const run: SlowRun = { type: "slow", seed, events, wall_ms: ms };
    this.#slowest = [...this.#slowest, run].sort((a, b) => b.wall_ms - a.wall_ms).slice(0, SLOWEST);
  }

  /** The slowest runs, the slowest first. */
  get slowest(): readonly SlowRun[] {
    return this.#slowest;
  }
}
