/**
 * Random choices one after the other, from a labelled stream. A value depends on the seed, the label and the number of
 * earlier draws under that label, so a further draw in one part leaves all other parts unchanged.
 */
import { requireDefined } from "../core/base/assert.ts";
import { drawInt, Stream } from "../simulator/random.ts";

/** Item with its relative frequency. */
export type WeightedItem<T> = readonly [weight: number, item: T];

export class Rng {
  readonly #seed: string;
  readonly #label: string;
  readonly #stream: Stream;
  #index = 0;

  constructor(seed: string, label: string) {
    this.#seed = seed;
    this.#label = label;
    this.#stream = new Stream(seed, `draw ${label}`);
  }

  /** Returns an independent generator for a part. */
  split(label: string): Rng {
    return new Rng(this.#seed, `${this.#label} ${label}`);
  }

  /** Returns an integer in the closed interval. */
  integer(from: number, to: number): number {
    return from + drawInt(this.#stream, this.#index++, to - from + 1);
  }

  /** Returns true with probability `of` / `all`. */
  chance(of: number, all: number): boolean {
    return this.integer(0, all - 1) < of;
  }

  /** @throws AssertionError if the list is empty. */
  pick<T>(items: readonly T[]): T {
    return requireDefined(items[this.integer(0, items.length - 1)], "item to pick");
  }

  pickWeighted<T>(...items: readonly WeightedItem<T>[]): T {
    const all = items.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.integer(0, all - 1);
    for (const [weight, item] of items) {
      if (at < weight) return item;
      at -= weight;
    }
    throw new RangeError("dice: no item has a weight");
  }

  /** Returns `count` of the items in their order, or all if there are fewer. */
  pickSome<T>(items: readonly T[], count: number): readonly T[] {
    let open = Math.min(count, items.length);
    return items.filter((_, index) => {
      const isPicked = open > 0 && this.integer(0, items.length - index - 1) < open;
      if (isPicked) open -= 1;
      return isPicked;
    });
  }

  /** Returns the items in random order. */
  shuffle<T>(items: readonly T[]): readonly T[] {
    const rest = [...items];
    return items.map(() => requireDefined(rest.splice(this.integer(0, rest.length - 1), 1)[0], "item to shuffle"));
  }

  /** Returns a number with logarithmic distribution: each power of two below the end is equally likely. */
  pickSkewed(from: number, to: number): number {
    const powers = 32 - Math.clz32(to - from);
    const width = powers === 0 ? 0 : this.integer(0, powers);
    const least = width === 0 ? 0 : 2 ** (width - 1);
    return from + Math.min(to - from, width === 0 ? 0 : this.integer(least, 2 * least - 1));
  }
}
