/**
 * Past of a served network: its inputs, of which those before the snapshot that it began from are read when they are
 * needed, and its states at the last snapshots, so that a return exchanges the state and repeats nothing.
 */
import type { Millis } from "../core/base/ids.ts";
import type { Interruptible } from "../run/interruptible.ts";
import { byzantineIn, type LiveRun, type LiveState } from "./live-run.ts";
import type { RecordedInput } from "./recording.ts";
import type { RecordStore } from "./shelf.ts";

/** Inputs that a network does not have to repeat. */
export interface EarlierInputs {
  readonly count: number;
  /** Validators that are Byzantine by them. */
  readonly byzantine: ReadonlySet<string>;
  /** Reads them. O(history). */
  readonly read: () => readonly RecordedInput[];
}

export const NO_EARLIER: EarlierInputs = { count: 0, byzantine: new Set(), read: () => [] };

/** Files that take what leaves the memory of a network. */
export interface NetworkFiles {
  /** Old records of the archive. */
  readonly old: RecordStore;
  /** Reads the inputs of the recording that are in effect. O(history). */
  readonly readInputs: EarlierInputs["read"];
  /** Returns why the recording cannot be read any more; `undefined` if it can. */
  readonly sizeFault: () => string | undefined;
}

/** State that a network begins from. */
export interface NetworkStart {
  /** Bytes that the `graph` of a snapshot yielded. */
  readonly graph: Uint8Array;
  /** Events before it. */
  readonly steps: number;
  readonly earlier: EarlierInputs;
  readonly snapshots: Snapshots;
}

/** Snapshot of a network. */
export interface NetworkSnapshot {
  /** Number of inputs before it. */
  readonly inputs: number;
  /** Validators that are Byzantine at some time by them. */
  readonly byzantine: readonly string[];
  /** Snapshots of the operator before it. */
  readonly snapshots: Snapshots;
  readonly graph: Generator<Uint8Array>;
}

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

/** Events that are repeated without a pause: some 10 ms of work. */
const REPEATED_EVENTS = 500;

/** The past of a network in a run of its own, for other Byzantine validators: oracles know them from the start. */
export class Repetition {
  readonly run: LiveRun;
  /** Inputs repeated so far. */
  #inputs = 0;
  /** Number of events after which it pauses. */
  #pauseAt = REPEATED_EVENTS;

  /** `run`: at its start. */
  constructor(run: LiveRun) {
    this.run = run;
  }

  /** Repeats and judges all inputs, and the events up to `now`; both may grow at each pause. O(events) the first time. */
  *catchUp(inputs: Inputs, now: () => Millis): Interruptible<void> {
    for (let until = now(); ; until = now()) {
      for (const { at, input } of inputs.from(this.#inputs)) {
        yield* this.#eventsTo(at as Millis);
        this.run.input(at as Millis, input);
        this.#inputs += 1;
      }
      yield* this.#eventsTo(until);
      if (this.#inputs === inputs.count && until === now()) return;
    }
  }

  *#eventsTo(at: Millis): Interruptible<void> {
    const { world } = this.run;
    while (world.run({ at, steps: this.#pauseAt - world.steps, quiet: false }) === "steps") {
      this.run.judge();
      this.#pauseAt = world.steps + REPEATED_EVENTS;
      yield;
    }
  }
}

/** Position that a network can be reverted to. */
export interface SnapshotPosition {
  /** Number of inputs before it. */
  readonly inputs: number;
  readonly at: Millis;
  /** Number of the snapshot there; absent: none. */
  readonly number?: number | undefined;
}

/** Snapshot that an operator took. */
export interface Snapshot extends SnapshotPosition {
  /** From 1, over all that were taken. */
  readonly number: number;
}

/** Snapshots that a network can be reverted to, the oldest first. */
export interface Snapshots {
  /** Number of all that were taken, undone ones included: no number is used twice. */
  readonly taken: number;
  readonly kept: readonly Snapshot[];
}

export const NO_SNAPSHOTS: Snapshots = { taken: 0, kept: [] };

/** Returns the snapshots with a further one. */
export function withSnapshot({ taken, kept }: Snapshots, position: SnapshotPosition): Snapshots {
  return { taken: taken + 1, kept: [...kept, { ...position, number: taken + 1 }] };
}

/** Returns the snapshots that a revert leaves: those up to the one that it returns to, none where it returns to none. */
export function snapshotsUpTo({ taken, kept }: Snapshots, position: SnapshotPosition): Snapshots {
  const { number = 0 } = position;
  return { taken, kept: kept.filter((snapshot) => snapshot.number <= number && isBefore(snapshot, position)) };
}

/** State at a position, with the run that captured it. */
interface KeptState {
  readonly position: SnapshotPosition;
  readonly run: LiveRun;
  readonly state: LiveState;
}

/** States kept at one time; a return to an older snapshot starts from the last one before it. */
export const STATES_KEPT = 16;

/** Snapshots of an operator, with the states at the last ones. */
export class TakenSnapshots {
  #snapshots: Snapshots;
  /** On one line of time, in the order of their positions. */
  #states: readonly KeptState[] = [];

  /** `past`: those of a recording, without states. */
  constructor(past: Snapshots) {
    this.#snapshots = past;
  }

  get list(): Snapshots {
    return this.#snapshots;
  }

  /** Adds the snapshot of a state, and drops the oldest state if there are too many. */
  add(state: KeptState): Snapshot {
    const remaining = this.#states.filter(({ position }) => !isSame(position, state.position));
    this.#states = [...remaining, state].slice(-STATES_KEPT);
    this.#snapshots = withSnapshot(this.#snapshots, state.position);
    return { ...state.position, number: this.#snapshots.taken };
  }

  /** Drops what is undone. */
  undoAfter(position: SnapshotPosition): void {
    this.#snapshots = snapshotsUpTo(this.#snapshots, position);
    this.#states = this.#states.filter((state) => isBefore(state.position, position));
  }

  /** Returns the last state at a position or before it that was captured with these Byzantine validators. */
  nearest(position: SnapshotPosition, byzantine: ReadonlySet<string>): KeptState | undefined {
    return this.#states.findLast(
      (state) => isBefore(state.position, position) && hasSameNames(state.run.byzantine, byzantine),
    );
  }
}

/** Returns true for sets of the same names. */
export function hasSameNames(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  return first.size === second.size && [...first].every((name) => second.has(name));
}

function isBefore(a: SnapshotPosition, b: SnapshotPosition): boolean {
  return a.inputs <= b.inputs && a.at <= b.at;
}

function isSame(a: SnapshotPosition, b: SnapshotPosition): boolean {
  return a.inputs === b.inputs && a.at === b.at;
}
