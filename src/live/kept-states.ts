/** States of a served network at its last snapshots: a return exchanges the state, and repeats nothing. */
import type { Millis } from "../core/base/ids.ts";
import type { LiveRun, LiveState } from "./live-run.ts";

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
