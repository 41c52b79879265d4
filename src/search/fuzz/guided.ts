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
/** Runs that a generation mutates, and mutations of each: half of the generation. */
const PARENTS = 8;
const MUTATIONS = 3;

interface Ran {
  readonly seed: string;
  readonly coverage: readonly AnyCoveragePoint[];
}

/** Yields as many seeds as `fresh` has, of which it takes as many as needed. */
export class GuidedSeeds implements SeedSource {
  readonly #fresh: readonly string[];
  readonly #ran: Ran[] = [];
  /** Number of mutations of each seed. */
  readonly #mutations = new Map<string, number>();
  #next: readonly string[] = [];
  #drawn = 0;
  #begun = 0;

  constructor(fresh: readonly string[]) {
    this.#fresh = fresh;
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
    this.#ran.push({ seed, coverage: [...coverage.keys()] });
  }

  #generation(): readonly string[] {
    const mutated = this.#parents().flatMap((parent) => {
      const before = this.#mutations.get(parent) ?? 0;
      this.#mutations.set(parent, before + MUTATIONS);
      return Array.from({ length: MUTATIONS }, (_, index) => mutationOf(parent, before + index + 1));
    });
    const fresh = this.#fresh.slice(this.#drawn, this.#drawn + GENERATION - mutated.length);
    this.#drawn += fresh.length;
    return [...fresh, ...mutated];
  }

  /**
   * Selects the runs with the rarest coverage points, earlier ones first among equals; each past mutation lowers the
   * rank.
   */
  #parents(): readonly string[] {
    const runs = new Map<AnyCoveragePoint, number>();
    for (const { coverage } of this.#ran) for (const point of coverage) runs.set(point, (runs.get(point) ?? 0) + 1);
    return this.#ran
      .map(({ seed, coverage }, index) => {
        const rarity = coverage.reduce((sum, point) => sum + 1 / (runs.get(point) ?? 1), 0);
        return { seed, index, worth: rarity / (1 + (this.#mutations.get(seed) ?? 0)) };
      })
      .sort((a, b) => b.worth - a.worth || a.index - b.index)
      .slice(0, PARENTS)
      .map(({ seed }) => seed);
  }
}
