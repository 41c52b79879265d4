/** Counts of a campaign. Runs are added in the order of their seeds, so the counts do not depend on threads. */
import { type AnyMark, MARK_NAMES } from "../../scenario/coverage-points.ts";
import { type FaultKind, faultKindsIn } from "./fault-kinds.ts";
import { type Place, placeKey } from "./place.ts";
import type { SeedRun } from "./seed-run.ts";

/** Counted facts of a run: plain data for the transfer between threads. */
export interface Counted {
  readonly seed: string;
  readonly place: Place | undefined;
  readonly hash: string;
  readonly events: number;
  readonly finals: number;
  readonly operations: number;
  readonly marks: ReadonlyMap<AnyMark, number>;
  readonly faults: readonly FaultKind[];
}

/** Failing runs with one failure signature. */
export interface FailureClass {
  readonly key: string;
  readonly place: Place;
  /** Seeds in order; the first represents all. */
  readonly seeds: readonly string[];
}

/** Hits of a coverage point, runs that reached it, and such runs for each kind of fault. */
export interface MarkCount {
  readonly mark: AnyMark;
  readonly hits: number;
  readonly runs: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
}

const NEVER: Omit<MarkCount, "mark"> = { hits: 0, runs: 0, faults: new Map() };

export class Tally {
  #runs = 0;
  #failed = 0;
  #empty = 0;
  #events = 0;
  #finals = 0;
  #operations = 0;
  readonly #unfinished: string[] = [];
  readonly #classes = new Map<string, FailureClass>();
  readonly #marks = new Map<AnyMark, Omit<MarkCount, "mark">>();

  /** Counts one run; returns its failure class if it failed. */
  add({ seed, place, events, finals, operations, marks, faults }: Counted): FailureClass | undefined {
    this.#runs += 1;
    this.#events += events;
    this.#finals += finals;
    this.#operations += operations;
    if (finals === 0) this.#empty += 1;
    for (const [mark, hits] of marks) {
      const so = this.#marks.get(mark) ?? NEVER;
      this.#marks.set(mark, { hits: so.hits + hits, runs: so.runs + 1, faults: oneMore(so.faults, faults) });
    }
    if (place === undefined) return undefined;
    this.#failed += 1;
    const key = placeKey(place);
    const known = this.#classes.get(key);
    const found = { key, place, seeds: [...(known?.seeds ?? []), seed] };
    this.#classes.set(key, found);
    return found;
  }

  /** Adds the seed of an unfinished run, which no other count includes. */
  leave(seed: string): void {
    this.#unfinished.push(seed);
  }

  /** Seeds whose runs were stopped before their end. */
  get unfinished(): readonly string[] {
    return this.#unfinished;
  }

  /** Finished runs. */
  get runs(): number {
    return this.#runs;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Runs without a final operation. */
  get empty(): number {
    return this.#empty;
  }

  get events(): number {
    return this.#events;
  }

  /** Operations submitted by clients over all runs, retries not counted. */
  get operations(): number {
    return this.#operations;
  }

  /** Final ones of those, cancellations and recoveries included. */
  get finals(): number {
    return this.#finals;
  }

  /** Failure classes in the order in which they were found. */
  get classes(): readonly FailureClass[] {
    return [...this.#classes.values()];
  }

  /** All coverage points, missed ones included. */
  get marks(): readonly MarkCount[] {
    return MARK_NAMES.map((mark) => ({ mark, ...(this.#marks.get(mark) ?? NEVER) }));
  }
}

function oneMore(so: ReadonlyMap<FaultKind, number>, kinds: readonly FaultKind[]): ReadonlyMap<FaultKind, number> {
  const counts = new Map(so);
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Returns the counted facts of a run. */
export function countedOf({ seed, scenario, place, result }: SeedRun): Counted {
  const { hash, steps: events, finals, operations, marks } = result;
  return { seed, place, hash, events, finals: finals.length, operations, marks, faults: faultKindsIn(scenario) };
}
