/**
 * Coverage guidance of a campaign. Half of the scenarios of a generation are fresh, half are mutations of those with
 * rare coverage points. A generation depends only on the runs before it, and not on the threads that ran them.
 */
import type { AnyCoveragePoint } from "../../scenario/coverage-points.ts";
import type { SeedSource } from "./campaign.ts";
import { mutationOf } from "./rng.ts";
import type { RunCounts } from "./tally.ts";

/** Runs between two updates of the guidance. */
export const GENERATION = 48;
/** Mutations of each run that a generation mutates: half of the generation in all. */
const MUTATIONS = 3;
/** Runs that are told to others. */
const PARENTS = 8;

/** Coverage points that a run is remembered by when others are told of it: its rarest ones. */
const TOLD_POINTS = 12;
/** Mutation numbers lie below it: `fuzz --seed` reads nine digits. */
const NUMBERS = 1_000_000_000n;

/** A run that is worth mutating. */
export interface Parent {
  readonly seed: string;
  readonly points: readonly AnyCoveragePoint[];
  /** Mutations drawn of it so far. */
  readonly mutations: number;
}

/** Coverage of other runs: plain data for the transfer between processes. */
export interface Guidance {
  /** Runs that reached each coverage point. */
  readonly runs: readonly (readonly [AnyCoveragePoint, number])[];
  readonly parents: readonly Parent[];
}

export const UNGUIDED: Guidance = { runs: [], parents: [] };

/** Orders parents by the rarity of their points, earlier ones first among equals; each past mutation lowers the rank. */
export function byRarity(parents: readonly Parent[], runs: ReadonlyMap<AnyCoveragePoint, number>): readonly Parent[] {
  return parents
    .map((parent, index) => {
      const rarity = parent.points.reduce((sum, point) => sum + 1 / (runs.get(point) ?? 1), 0);
      return { parent, index, worth: rarity / (1 + parent.mutations) };
    })
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .map(({ parent }) => parent);
}

/** Yields as many seeds as `fresh` has, of which it takes as many as needed. */
export class GuidedSeeds implements SeedSource {
  readonly #fresh: readonly string[];
  readonly #known: Guidance;
  readonly #firstNumber: bigint;
  readonly #ran: { readonly seed: string; readonly points: readonly AnyCoveragePoint[] }[] = [];
  /** Number of mutations of each seed that were drawn here. */
  readonly #mutations = new Map<string, number>();
  #next: readonly string[] = [];
  #drawn = 0;
  #begun = 0;

  /**
   * `firstNumber`: number of the first mutation of each seed. Sources that know of the same runs have numbers that differ
   * by more than they have seeds, so that they draw different mutations.
   */
  constructor(fresh: readonly string[], known: Guidance = UNGUIDED, firstNumber = 1n) {
    this.#fresh = fresh;
    this.#known = known;
    this.#firstNumber = firstNumber;
  }

  take(): string | "later" | undefined {
    if (this.#begun === this.#fresh.length) return undefined;
    if (this.#next.length === 0) {
      // A generation begins when all runs of the previous one are reported.
      if (this.#ran.length < this.#begun) return "later";
      this.#next = this.#generation();
    }
    const [seed, ...rest] = this.#next;
    this.#next = rest;
    this.#begun += 1;
    return seed;
  }

  onRun({ seed, coverage }: RunCounts): void {
    this.#ran.push({ seed, points: [...coverage.keys()] });
  }

  /** Returns what others need to know: the runs worth mutating, and what was mutated here, with this source's mutations. */
  told(): readonly Parent[] {
    const runs = this.#runs();
    const own = byRarity(this.#parents(), runs).slice(0, PARENTS);
    const mutated = this.#parents().filter(
      ({ seed }) => this.#mutations.has(seed) && !own.some((one) => one.seed === seed),
    );
    return [...own, ...mutated].map(({ seed, points }) => {
      const rarest = [...points].sort((a, b) => (runs.get(a) ?? 0) - (runs.get(b) ?? 0)).slice(0, TOLD_POINTS);
      return { seed, points: rarest, mutations: this.#mutations.get(seed) ?? 0 };
    });
  }

  /** The last generation is shorter: as many seeds as are left. */
  #generation(): readonly string[] {
    const size = Math.min(GENERATION, this.#fresh.length - this.#begun);
    const parents = byRarity(this.#parents(), this.#runs()).slice(0, Math.ceil(size / 2 / MUTATIONS));
    const mutated = parents
      .flatMap(({ seed }) => Array.from({ length: MUTATIONS }, () => seed))
      .slice(0, Math.floor(size / 2))
      .map((parent) => {
        const before = this.#mutations.get(parent) ?? 0;
        this.#mutations.set(parent, before + 1);
        return mutationOf(parent, Number((this.#firstNumber + BigInt(before)) % NUMBERS));
      });
    const fresh = this.#fresh.slice(this.#drawn, this.#drawn + size - mutated.length);
    this.#drawn += fresh.length;
    return [...fresh, ...mutated];
  }

  #runs(): ReadonlyMap<AnyCoveragePoint, number> {
    const runs = new Map(this.#known.runs);
    for (const { points } of this.#ran) for (const point of points) runs.set(point, (runs.get(point) ?? 0) + 1);
    return runs;
  }

  /** Returns all runs that may be mutated, those of others first. */
  #parents(): readonly Parent[] {
    const known = this.#known.parents.map((parent) => {
      return { ...parent, mutations: parent.mutations + (this.#mutations.get(parent.seed) ?? 0) };
    });
    return [...known, ...this.#ran.map((ran) => ({ ...ran, mutations: this.#mutations.get(ran.seed) ?? 0 }))];
  }
}
