/** Inputs of a served network in their order; those before the snapshot that it began from are read when they are needed. */
import { byzantineIn } from "./live-run.ts";
import type { RecordedInput } from "./replay.ts";

/** Inputs that a network does not have to repeat. */
export interface EarlierInputs {
  readonly count: number;
  /** Validators that are Byzantine by them. */
  readonly byzantine: ReadonlySet<string>;
  /** Reads them. O(history). */
  readonly read: () => readonly RecordedInput[];
}

export const NO_EARLIER: EarlierInputs = { count: 0, byzantine: new Set(), read: () => [] };

export class Inputs {
  #earlier: EarlierInputs;
  #later: RecordedInput[];

  constructor(earlier: EarlierInputs, later: readonly RecordedInput[]) {
    this.#earlier = earlier;
    this.#later = [...later];
  }

  get count(): number {
    return this.#earlier.count + this.#later.length;
  }

  push(input: RecordedInput): void {
    this.#later.push(input);
  }

  /** Drops all but the first ones. */
  cut(count: number): void {
    if (count < this.#earlier.count) this.#readEarlier();
    this.#later.length = count - this.#earlier.count;
  }

  /** Returns the inputs from a number on. */
  from(first: number): readonly RecordedInput[] {
    if (first < this.#earlier.count) this.#readEarlier();
    return this.#later.slice(first - this.#earlier.count);
  }

  /** Returns the validators that are Byzantine by all of them. */
  get byzantine(): ReadonlySet<string> {
    return new Set([...this.#earlier.byzantine, ...byzantineIn(this.#later.map(({ input }) => input))]);
  }

  #readEarlier(): void {
    this.#later = [...this.#earlier.read().slice(0, this.#earlier.count), ...this.#later];
    this.#earlier = NO_EARLIER;
  }
}
