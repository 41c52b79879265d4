/**
 * Past of a served network: its inputs, of which those before the snapshot that it began from are read when they are
 * needed, and its states at the last snapshots, so that a return exchanges the state and repeats nothing.
 */
import type { Millis } from "../core/base/ids.ts";
import { byzantineIn, type LiveRun, type LiveState } from "./live-run.ts";
import type { RecordedInput } from "./recording.ts";

/** Inputs that a network does not have to repeat. */
export interface EarlierInputs {
  readonly count: number;
  /** Validators that are Byzantine by them. */
  readonly byzantine: ReadonlySet<string>;
  /** Reads them. O(history). */
  readonly read: () => readonly RecordedInput[];
}

export const NO_EARLIER: EarlierInputs = { count: 0, byzantine: new Set(), read: () => [] };

/** Inputs that stay in memory beside a recording that has them all; at most twice as many do. */
export const INPUTS_KEPT = 1_024;

export class Inputs {
  #earlier: EarlierInputs;
  #later: RecordedInput[];
  readonly #read: EarlierInputs["read"] | undefined;

  /** `read`: reads all inputs so far, if a recording has them: then only the last ones stay in memory. */
  constructor(earlier: EarlierInputs, later: readonly RecordedInput[], read?: EarlierInputs["read"]) {
    this.#earlier = earlier;
    this.#later = [...later];
    this.#read = read;
    this.#leave();
  }

  get count(): number {
    return this.#earlier.count + this.#later.length;
  }

  push(input: RecordedInput): void {
    this.#later.push(input);
    this.#leave();
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

  #leave(): void {
    if (this.#read === undefined || this.#later.length < 2 * INPUTS_KEPT) return;
    const { byzantine, count } = this;
    this.#later = this.#later.slice(-INPUTS_KEPT);
    this.#earlier = { count: count - INPUTS_KEPT, byzantine, read: this.#read };
  }

  #readEarlier(): void {
    this.#later = [...this.#earlier.read().slice(0, this.#earlier.count), ...this.#later];
    this.#earlier = NO_EARLIER;
  }
}

/** Position that a network can be reverted to. */
export interface SnapshotPosition {
  /** Number of inputs before it. */
  readonly inputs: number;
  readonly at: Millis;
}

/** State at a position, with the run that captured it. */
interface Kept {
  readonly position: SnapshotPosition;
  readonly run: LiveRun;
  /** Names of the validators that are Byzantine at some time, which `run` was made for. */
  readonly byzantine: ReadonlySet<string>;
  readonly state: LiveState;
}

/** States kept at one time; a return to an older snapshot starts from the last one before it. */
export const STATES_KEPT = 16;

export class KeptStates {
  /** On one line of time, in the order of their positions. */
  #kept: readonly Kept[] = [];

  /** Keeps a state, and drops the oldest one if there are too many. */
  keep(one: Kept): void {
    const others = this.#kept.filter(({ position }) => !isSame(position, one.position));
    this.#kept = [...others, one].slice(-STATES_KEPT);
  }

  /** Drops the states of what is undone. */
  undoAfter(position: SnapshotPosition): void {
    this.#kept = this.#kept.filter((one) => isBefore(one.position, position));
  }

  /** Returns the last state at a position or before it that was captured with these Byzantine validators. */
  nearest(position: SnapshotPosition, byzantine: ReadonlySet<string>): Kept | undefined {
    return this.#kept.findLast(
      (one) =>
        isBefore(one.position, position) &&
        one.byzantine.size === byzantine.size &&
        [...byzantine].every((name) => one.byzantine.has(name)),
    );
  }
}

function isBefore(one: SnapshotPosition, other: SnapshotPosition): boolean {
  return one.inputs <= other.inputs && one.at <= other.at;
}

function isSame(one: SnapshotPosition, other: SnapshotPosition): boolean {
  return one.inputs === other.inputs && one.at === other.at;
}
