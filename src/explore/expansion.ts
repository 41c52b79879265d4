/** Expansion of states to their successors, and paths back to the initial state. */
import type { CheckFailure } from "./checks.ts";
import { emptyBits, type Model } from "./model.ts";
import type { PathStep } from "./path-step.ts";
import type { StateSet } from "./state-set.ts";

/** Failed check with the path to it. */
export interface Counterexample extends CheckFailure {
  readonly path: readonly PathStep[];
}

/** Expands one state after the other. */
export class Expansion {
  transitions = 0;
  counterexample: Counterexample | undefined;
  readonly #model: Model;
  readonly #set: StateSet;
  readonly #state: Int32Array;
  readonly #next: Int32Array;
  readonly #scratch = emptyBits();

  constructor(model: Model, set: StateSet) {
    this.#model = model;
    this.#set = set;
    this.#state = new Int32Array(model.width);
    this.#next = new Int32Array(model.width);
  }

  /** Adds all successors of a state, until a check fails. */
  expand(state: number): void {
    this.#set.read(state, this.#state);
    this.#next.set(this.#state);
    this.#model.look(this.#state);
    const mayCrash = this.#model.crashesIn(this.#state) < this.#model.system.bounds.crashes;
    for (let by = 0; by < this.#state.length && this.counterexample === undefined; by++) {
      const from = this.#state[by] as number;
      const { steps: turns, failure: failed } = this.#model.successors(by, from);
      if (failed !== undefined) this.counterexample = { ...failed.why, path: this.#pathOver(state, by, failed.state) };
      for (const turn of turns)
        if (this.counterexample === undefined && (mayCrash || !turn.isCrash)) this.#follow(state, by, from, turn.state);
      this.#next[by] = from;
    }
    if (this.counterexample !== undefined) return;
    const stall = this.#model.stallIn(this.#state);
    if (stall !== undefined) this.counterexample = { ...stall, path: this.#pathTo(state, []) };
  }

  #follow(state: number, by: number, from: number, to: number): void {
    this.transitions += 1;
    this.#next[by] = to;
    if (!this.#set.add(this.#next, state)) return;
    const failed = this.#model.check(this.#next, by, from, this.#scratch);
    if (failed !== undefined) this.counterexample = { ...failed, path: this.#pathOver(state, by, to) };
  }

  /**
   * Returns the path on which a state was reached first, and the steps from there to another number of one component.
   */
  #pathOver(state: number, by: number, to: number): readonly PathStep[] {
    const now = new Int32Array(this.#model.width);
    this.#set.read(state, now);
    this.#model.look(now);
    return this.#pathTo(state, this.#model.steps(by, now[by] as number, to));
  }

  /** Returns the path on which a state was reached first, followed by `last`. */
  #pathTo(state: number, last: readonly PathStep[]): readonly PathStep[] {
    const { width } = this.#model;
    const [before, now] = [new Int32Array(width), new Int32Array(width)];
    const turns = [last];
    for (let at = state; this.#set.parent(at) >= 0; at = this.#set.parent(at)) {
      this.#set.read(this.#set.parent(at), before);
      this.#set.read(at, now);
      const changed = now.findIndex((part, index) => part !== before[index]);
      this.#model.look(before);
      turns.push(this.#model.steps(changed, before[changed] as number, now[changed] as number));
    }
    return turns.reverse().flat();
  }
}
