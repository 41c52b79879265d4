/** Set of global states in the order in which they were reached; some hundred bytes each. */
import type { GlobalState } from "../model/model.ts";

export class StateSet {
  readonly #canonical: (state: GlobalState) => string;
  readonly #known = new Set<string>();
  readonly #states: GlobalState[] = [];
  readonly #parents: number[] = [];

  /** States with equal `canonical` forms count as one. */
  constructor(canonical: (state: GlobalState) => string) {
    this.#canonical = canonical;
  }

  get size(): number {
    return this.#states.length;
  }

  /** Returns a state as it was added. */
  at(number: number): GlobalState {
    const state = this.#states[number];
    if (state === undefined) throw new RangeError(`no state has the number ${number}`);
    return state;
  }

  /** Returns the state from which one was reached first; -1 for the initial one. */
  parent(number: number): number {
    return this.#parents[number] ?? -1;
  }

  /** Adds a state; returns true if it is new. */
  add(state: GlobalState, parent: number): boolean {
    const key = this.#canonical(state);
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    this.#states.push(state);
    this.#parents.push(parent);
    return true;
  }
}
