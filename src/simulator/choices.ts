/** Random decisions of a world: drawn by label. */
import { requireDefined } from "../core/base/assert.ts";
import { drawInt, Stream } from "./random.ts";
import type { Range, Ratio } from "./settings.ts";

export class Choices {
  readonly seed: string;
  /** Streams of the seed that took the place of the first one, by those of the first one. */
  #reseeded: { readonly seed: string; readonly streams: WeakMap<Stream, Stream> } | undefined;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** Returns a stream. Labels are stable: draw 17 of `delay v1>v2` is that of the 17th parcel of that link in every run. */
  stream(label: string): Stream {
    return new Stream(this.seed, label);
  }

  /** Returns an integer below `bound`. Draws nothing for a bound of 1. */
  choose(stream: Stream, index: number, bound: number): number {
    return bound === 1 ? 0 : drawInt(this.#reseeded === undefined ? stream : this.#reseed(stream), index, bound);
  }

  /** Draws from another seed from now on, by the same labels. */
  reseed(seed: string): void {
    this.#reseeded = { seed, streams: new WeakMap() };
  }

  #reseed(stream: Stream): Stream {
    const { seed, streams } = requireDefined(this.#reseeded, "seed");
    const known = streams.get(stream) ?? new Stream(seed, stream.label);
    streams.set(stream, known);
    return known;
  }

  /** Returns an integer of the range, both ends included. */
  chooseInRange(stream: Stream, index: number, range: Range): number {
    return range.from + this.choose(stream, index, range.to - range.from + 1);
  }

  /** Returns true with probability `of / in`. */
  chooseChance(stream: Stream, index: number, ratio: Ratio): boolean {
    if (ratio.of <= 0) return false;
    if (ratio.of >= ratio.in) return true;
    return this.choose(stream, index, ratio.in) < ratio.of;
  }

  /** Returns `count` of the items in their order; all subsets are equally likely. */
  pick<T>(stream: Stream, items: readonly T[], count: number): T[] {
    let open = count;
    return items.filter((_, index) => {
      const isPicked = this.choose(stream, index, items.length - index) < open;
      if (isPicked) open -= 1;
      return isPicked;
    });
  }
}
