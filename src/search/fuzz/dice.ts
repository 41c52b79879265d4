/**
 * Draws for whole worlds, by the simulator's labelled streams: a value depends on the seed, the label and how many
 * draws this label has seen. So a further draw in one part of a world leaves all other parts as they were.
 */
import { present } from "../../core/base/assert.ts";
import { drawInt, type Stream, streamOf } from "../../simulator/random.ts";

/** One item with how often it comes up among the others. */
export type Weighted<T> = readonly [weight: number, item: T];

export class Dice {
  readonly #seed: string;
  readonly #label: string;
  readonly #stream: Stream;
  #index = 0;

  constructor(seed: string, label: string) {
    this.#seed = seed;
    this.#label = label;
    this.#stream = streamOf(seed, `draw ${label}`);
  }

  /** Dice of their own for a part. */
  part(label: string): Dice {
    return new Dice(this.#seed, `${this.#label} ${label}`);
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + drawInt(this.#stream, this.#index++, to - from + 1);
  }

  /** True in `of` of `all` cases. */
  chance(of: number, all: number): boolean {
    return this.between(0, all - 1) < of;
  }

  /** @throws where there is nothing to pick from. */
  pick<T>(items: readonly T[]): T {
    return present(items[this.between(0, items.length - 1)], "item to pick");
  }

  weighted<T>(items: readonly Weighted<T>[]): T {
    const all = items.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.between(0, all - 1);
    for (const [weight, item] of items) {
      if (at < weight) return item;
      at -= weight;
    }
    throw new RangeError("dice: no item has a weight");
  }

  /** So many of the items, in their order; all where there are fewer. */
  some<T>(items: readonly T[], count: number): readonly T[] {
    let open = Math.min(count, items.length);
    return items.filter((_, index) => {
      const isPicked = open > 0 && this.between(0, items.length - index - 1) < open;
      if (isPicked) open -= 1;
      return isPicked;
    });
  }

  /** The items in an order of their own. */
  shuffled<T>(items: readonly T[]): readonly T[] {
    const rest = [...items];
    return items.map(() => present(rest.splice(this.between(0, rest.length - 1), 1)[0], "item to shuffle"));
  }

  /** A number that is small as often as it is large: each power of two below the end comes up as often. */
  skewed(from: number, to: number): number {
    const powers = 32 - Math.clz32(to - from);
    const width = powers === 0 ? 0 : this.between(0, powers);
    const least = width === 0 ? 0 : 2 ** (width - 1);
    return from + Math.min(to - from, width === 0 ? 0 : this.between(least, 2 * least - 1));
  }
}
