/**
 * Coverage guidance of a campaign. Half of the scenarios of a generation are fresh, half are mutations of those with
 * rare coverage points. A generation depends only on the runs before it, and not on the threads that ran them.
 */

import type { AnyCoveragePoint } from "../../scenario/coverage-points.ts";
import { mutationOf } from "./rng.ts";
import type { RunCounts } from "./tally.ts";

/** Runs between two updates of the guidance. */
export const GENERATION = 48;
/** Mutations of each run that a generation mutates: half of the generation in all. */
const MUTATIONS = 3;
/** Runs that are kept to be mutated: some ten generations', so that a campaign of any length takes as long a run. */
const PARENTS_KEPT = 512;

/** A run that was counted. */
type CountedRun = Omit<Parent, "mutations">;

/** A run that is worth mutating. */
interface Parent {
  readonly seed: string;
  readonly points: readonly AnyCoveragePoint[];
  /** Events of the run: what a mutation of it will cost. */
  readonly events: number;
  /** Mutations drawn of it so far. */
  readonly mutations: number;
}

/** Events that make up for the start of a run. */
const START_EVENTS = 1_000;

/**
 * Orders parents by the rarity of their points and what a run costs, earlier ones first among equals; each past mutation
 * lowers the rank. Long runs reach more points: by rarity alone, worlds became longer with each mutation.
 */
export function rankByRarity(
  parents: readonly Parent[],
  runs: ReadonlyMap<AnyCoveragePoint, number>,
): readonly Parent[] {
  return parents
    .map((parent, index) => {
      const rarity = parent.points.reduce((sum, point) => sum + 1 / (runs.get(point) ?? 1), 0);
      return { parent, index, worth: rarity / (1 + parent.mutations) / (START_EVENTS + parent.events) };
    })
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .map(({ parent }) => parent);
}

/** Returns the source of a campaign's seeds: all of them fresh, or half of them mutations. */
export function seedSource(seeds: readonly string[], isGuided: boolean): SeedSource {
  return isGuided ? new GuidedSeeds(seeds) : consecutiveSeeds(seeds);
}

/** Yields as many seeds as `fresh` has, of which it takes as many as needed. */
export class GuidedSeeds implements SeedSource {
  readonly #fresh: readonly string[];
  /** Runs that are reported and not yet counted, the first of which was taken as the `#counted`-th one. */
  #ran: CountedRun[] = [];
  #counted = 0;
  readonly #runs = new Map<AnyCoveragePoint, number>();
  /** Runs that may be mutated. */
  #parents: readonly CountedRun[] = [];
  /** Number of mutations of each seed that were drawn. */
  readonly #mutations = new Map<string, number>();
  #next: readonly string[] = [];
  /** Mutations that the present generation still owes, chosen by the runs before it, which are so many. */
  #owed: { readonly count: number; readonly after: number } | undefined;
  #drawn = 0;
  #begun = 0;

  constructor(fresh: readonly string[]) {
    this.#fresh = fresh;
  }

  take(): string | "later" | undefined {
    if (this.#begun === this.#fresh.length) return undefined;
    if (this.#next.length === 0) {
      const seeds = this.#owed === undefined ? this.#nextGeneration() : this.#mutationSeeds(this.#owed);
      if (seeds === "later") return "later";
      this.#next = seeds;
    }
    const [seed, ...rest] = this.#next;
    this.#next = rest;
    this.#begun += 1;
    return seed;
  }

  onRun({ seed, coverage, events }: RunCounts): void {
    this.#ran.push({ seed, points: [...coverage.keys()], events });
  }

  /**
   * Begins a generation, the last of which is as short as the seeds that are left. Its fresh ones wait for no run, so that
   * those of the generation before have ended when the mutations are chosen.
   */
  #nextGeneration(): readonly string[] {
    const size = Math.min(GENERATION, this.#fresh.length - this.#begun);
    const after = this.#begun;
    const parents = this.#parents.length + after - this.#counted;
    const count = Math.min(Math.floor(size / 2), MUTATIONS * parents);
    if (count > 0) this.#owed = { count, after };
    const fresh = this.#fresh.slice(this.#drawn, this.#drawn + size - count);
    this.#drawn += fresh.length;
    return fresh;
  }

  #mutationSeeds({ count, after }: { readonly count: number; readonly after: number }): readonly string[] | "later" {
    if (this.#counted + this.#ran.length < after) return "later";
    this.#owed = undefined;
    this.#countRuns(after);
    return this.#rankedParents()
      .slice(0, Math.ceil(count / MUTATIONS))
      .flatMap(({ seed }) => Array.from({ length: MUTATIONS }, () => seed))
      .slice(0, count)
      .map((seed) => this.#mutationOf(seed));
  }

  #mutationOf(seed: string): string {
    const before = this.#mutations.get(seed) ?? 0;
    this.#mutations.set(seed, before + 1);
    return mutationOf(seed, before + 1);
  }

  /** Counts the runs up to the `count`-th one, and keeps those with the rarest points. */
  #countRuns(count: number): void {
    const runs = this.#ran.slice(0, count - this.#counted);
    this.#ran = this.#ran.slice(runs.length);
    this.#counted = count;
    for (const { points } of runs) for (const point of points) this.#runs.set(point, (this.#runs.get(point) ?? 0) + 1);
    this.#parents = [...this.#parents, ...runs];
    if (this.#parents.length <= PARENTS_KEPT) return;
    const kept = new Set(
      this.#rankedParents()
        .slice(0, PARENTS_KEPT)
        .map(({ seed }) => seed),
    );
    this.#parents = this.#parents.filter(({ seed }) => kept.has(seed));
  }

  /** Returns all that may be mutated, the one worth most first. */
  #rankedParents(): readonly Parent[] {
    const parents = this.#parents.map((run) => ({ ...run, mutations: this.#mutations.get(run.seed) ?? 0 }));
    return rankByRarity(parents, this.#runs);
  }
}

/** Source of a campaign's seeds. */
export interface SeedSource {
  /** Returns the next seed; "later" if it depends on unreported runs; `undefined` after the last. */
  readonly take: () => string | "later" | undefined;
  /** Reports a finished run, in the order in which seeds were taken. */
  readonly onRun: (run: RunCounts) => void;
}

/** Returns the seeds in order, independent of the results. */
export function consecutiveSeeds(seeds: readonly string[]): SeedSource {
  let next = 0;
  return { take: () => seeds[next++], onRun: () => undefined };
}

/** Returns so many seeds from `first` on. */
export function seedsOf(first: bigint, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => String(first + BigInt(at)));
}
