/** Set of global states in the order in which they were reached; some hundred bytes each. */
import type { GlobalState } from "../model/model.ts";

export class StateSet {
  readonly #canonical: (state: GlobalState) => string;
  readonly #numbers = new Map<string, number>();
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

  /** Returns the number of a state, or of one that counts as the same; `undefined` if there is none. */
  numberOf(state: GlobalState): number | undefined {
    return this.#numbers.get(this.#canonical(state));
  }

  /** Adds a state; returns true if it is new. */
  add(state: GlobalState, parent: number): boolean {
    const key = this.#canonical(state);
    if (this.#numbers.has(key)) return false;
    this.#numbers.set(key, this.size);
    this.#states.push(state);
    this.#parents.push(parent);
    return true;
  }
}
