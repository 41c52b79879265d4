/**
 * Replica of a model in another thread: expands states of the search ahead of it, in their order, as far as it knows what
 * they lead to.
 *
 * A replica numbers nothing itself. It learns local states, statements and transitions by the journal, and repeats the
 * steps that led to them; what is not numbered yet it leaves to the search. So each number means the same in all threads,
 * and the search, which takes all results in the order of the states, ends with the same numbers, counts and paths as
 * one without replicas. Nearly all work is with the replicas: to compute successors, to find those that are known, to
 * check the others, and to try transitions without new effects.
 */
import type { Scenario } from "../scenario/scenario.ts";
import { UnknownStep } from "./learning.ts";
import { emptyBits, Model, type ModelOptions, type ModelUpdate } from "./model.ts";
import { StateSet, type StatesUpdate } from "./state-set.ts";

/** States to expand, and what the replica lacks. */
export interface Job {
  readonly from: number;
  /** The state after the last one. */
  readonly to: number;
  readonly models: readonly ModelUpdate[];
  readonly states: StatesUpdate;
  /** States from which a fair run is known to meet all demands. */
  readonly live: readonly number[];
}

/** Expanded states in order, as numbers: that of statements that the replica knew, then a row for each state. */
export type Expanded = Int32Array;

/** Kinds of results for one state. */
export const FOUND = {
  /** The search has to expand it. */
  nothing: 0,
  /** All successors. */
  successors: 1,
  /** All successors, and by a continuation that it is live. */
  live: 2,
} as const;

/** Numbers at the start of a row: what was found, and the lengths of its parts. */
export const ROW_INTS = 4;
/** Numbers of a successor that may be new: component, its new number, hash of the state. */
export const SUCCESSOR_INTS = 3;

export class Replica {
  readonly #model: Model;
  readonly #set: StateSet;
  readonly #state: Int32Array;
  readonly #next: Int32Array;
  readonly #scratch = emptyBits();

  constructor(scenario: Scenario, options: ModelOptions) {
    this.#model = new Model(scenario, { ...options, isReplica: true });
    this.#set = new StateSet(this.#model.width, (state, key) => this.#model.canonical(state, key), true);
    this.#state = new Int32Array(this.#model.width);
    this.#next = new Int32Array(this.#model.width);
    this.#model.first();
  }

  /** Expands the states of a job. @throws RangeError if an update is not that of the same model */
  expand({ from, to, models, states, live }: Job): Expanded {
    for (const update of models) this.#model.takeUpdate(update);
    this.#set.takeUpdate(states);
    for (const state of live) {
      this.#set.read(state, this.#state);
      this.#model.noteLive(this.#state);
    }
    const row: number[] = [this.#model.learned];
    for (let state = from; state < to; state++) this.#expandOne(state, row);
    return new Int32Array(row);
  }

  /** Appends a row: what was found, the number of transitions, the lengths of trials and of successors, and these. */
  #expandOne(state: number, row: number[]): void {
    const successors: number[] = [];
    const before = this.#model.continued;
    const transitions = this.#successorsOf(state, successors);
    const found =
      transitions === undefined ? FOUND.nothing : this.#model.continued > before ? FOUND.live : FOUND.successors;
    const trials = this.#model.takeTrials();
    row.push(found, transitions ?? 0, trials.length, successors.length);
    for (const int of trials) row.push(int);
    for (const int of successors) row.push(int);
  }

  /** Returns the number of transitions; `undefined` if the search has to expand the state. */
  #successorsOf(state: number, found: number[]): number | undefined {
    this.#set.read(state, this.#state);
    this.#next.set(this.#state);
    this.#model.select(this.#state);
    let transitions: number | undefined = 0;
    // Each component is expanded, since the search takes over what was tried.
    for (let by = 0; by < this.#state.length; by++) {
      const more = this.#stepsOf(by, found);
      transitions = more === undefined || transitions === undefined ? undefined : transitions + more;
    }
    if (transitions !== undefined && known(() => this.#model.stallIn(this.#state) ?? LIVE) === LIVE) return transitions;
    found.length = 0;
    return undefined;
  }

  /** Returns the number of transitions of a component, and adds the new states behind them. */
  #stepsOf(by: number, found: number[]): number | undefined {
    const from = this.#state[by] as number;
    const successors = known(() => this.#model.successors(by, from));
    if (successors === undefined || successors.failure !== undefined) return undefined;
    const mayCrash = this.#model.crashesIn(this.#state) < this.#model.system.bounds.crashes;
    let transitions = 0;
    let isSound = true;
    for (const { state: to, isCrash } of successors.steps) {
      if (isCrash && !mayCrash) continue;
      transitions += 1;
      this.#next[by] = to;
      const mixed = this.#set.hashIfNew(this.#next);
      if (mixed < 0) continue;
      isSound &&= this.#model.check(this.#next, by, from, this.#scratch) === undefined;
      found.push(by, to, mixed);
    }
    this.#next[by] = from;
    return isSound ? transitions : undefined;
  }
}

const LIVE = "live";

/** Returns what a replica computes; `undefined` if it does not know all of it. */
function known<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof UnknownStep) return undefined;
    throw error;
  }
}
