/** Random decisions of a world: drawn by label, recordable, and forcible by label. */
import { drawInt, Stream } from "./random.ts";
import { type Range, type Ratio, RECORD_MAX } from "./settings.ts";

/** One labelled decision. Labels are stable: `delay v1>v2 #17` is the 17th parcel of that link in every run. */
export interface Choice {
  readonly label: string;
  readonly bound: number;
  readonly value: number;
}

export class Choices {
  readonly seed: string;
  readonly #forced: ReadonlyMap<string, number> | undefined;
  readonly #isRecording: boolean;
  readonly #recorded: Choice[] = [];

  /** `forced`: values by label; each must lie below its bound. */
  constructor(seed: string, forced: ReadonlyMap<string, number> | undefined, isRecording: boolean) {
    this.seed = seed;
    this.#forced = forced === undefined || forced.size === 0 ? undefined : forced;
    this.#isRecording = isRecording;
  }

  stream(label: string): Stream {
    return new Stream(this.seed, label);
  }

  /**
   * Returns an integer below `bound`; the label is the stream's and `#index`. Draws and records nothing for a bound of
   * 1. @throws RangeError for a forced value outside the bound.
   */
  choose(stream: Stream, index: number, bound: number): number {
    if (bound === 1) return 0;
    if (this.#forced === undefined && !this.#isRecording) return drawInt(stream, index, bound);
    const label = `${stream.label} #${index}`;
    const forced = this.#forced?.get(label);
    if (forced !== undefined && !(Number.isSafeInteger(forced) && forced >= 0 && forced < bound)) {
      throw new RangeError(`choices: "${label}" is forced to ${forced}, expected 0 to ${bound - 1}`);
    }
    const value = forced ?? drawInt(stream, index, bound);
    if (this.#isRecording) this.#record({ label, bound, value });
    return value;
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

  /** Returns all choices so far, in order. */
  recordedChoices(): readonly Choice[] {
    return this.#recorded;
  }

  #record(choice: Choice): void {
    if (this.#recorded.length >= RECORD_MAX) throw new RangeError(`choices: more than ${RECORD_MAX} recorded`);
    this.#recorded.push(choice);
  }
}
