/**
 * Where a campaign goes next. Half of the worlds of a generation are fresh ones, half are mutations of those that reached
 * what few others did. What a generation is depends on the runs before it and on nothing else, least on who ran them.
 */
import type { AnyMark } from "../../scenario/coverage-points.ts";
import { GENERATION, MUTATIONS, PARENTS } from "./limits.ts";
import { mutationOf } from "./lineage.ts";
import type { SeedSource } from "./seeds.ts";
import type { Counted } from "./tally.ts";

interface Ran {
  readonly seed: string;
  readonly marks: readonly AnyMark[];
}

/** As many worlds as there are `fresh` seeds, of which it takes as many as it needs. */
export class SteeredSeeds implements SeedSource {
  readonly #fresh: readonly string[];
  readonly #ran: Ran[] = [];
  /** How often each was mutated. */
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
      // A generation begins when all of the one before have been told.
      if (this.#ran.length < this.#begun) return "later";
      this.#next = this.#generation();
    }
    const [seed, ...rest] = this.#next;
    this.#next = rest;
    this.#begun += 1;
    return seed;
  }

  told({ seed, marks }: Counted): void {
    this.#ran.push({ seed, marks: [...marks.keys()] });
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

  /** The runs whose marks are the rarest together, the earlier one of equals, and one that was mutated often counts less. */
  #parents(): readonly string[] {
    const runs = new Map<AnyMark, number>();
    for (const { marks } of this.#ran) for (const mark of marks) runs.set(mark, (runs.get(mark) ?? 0) + 1);
    return this.#ran
      .map(({ seed, marks }, index) => {
        const rarity = marks.reduce((sum, mark) => sum + 1 / (runs.get(mark) ?? 1), 0);
        return { seed, index, worth: rarity / (1 + (this.#mutations.get(seed) ?? 0)) };
      })
      .sort((a, b) => b.worth - a.worth || a.index - b.index)
      .slice(0, PARENTS)
      .map(({ seed }) => seed);
  }
}
