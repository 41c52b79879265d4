/**
 * Breadth-first search of all reachable states. The counterexample is the first path on which validators without
 * normalization break something too: it has the fewest visible steps of those.
 */
import type { Scenario } from "../../scenario/scenario.ts";
import { REFUTED_MAX, SLICE_STATES } from "../limits.ts";
import { Liveness, type LivenessMode } from "../liveness/liveness.ts";
import type { CheckFailure } from "../model/checks.ts";
import type { PathStep } from "../model/local-state.ts";
import { emptyBits, type GlobalState, Model, type ModelOptions, type SearchCoverage } from "../model/model.ts";
import { type PathValidation, validatePath } from "./validate-path.ts";

export interface SearchOptions extends ModelOptions {
  /** Limit of states. */
  readonly states: number;
  /** States that are continued (liveness.ts); default: none. */
  readonly liveness?: LivenessMode;
}

/** Frontier of a search that stopped. */
interface SearchFrontier extends Pick<SearchProgress, "frontier"> {
  /** Visible steps to the last state that was reached, the maximum of all states. */
  readonly depth: number;
}

export interface SearchResult {
  readonly states: number;
  /** Edges between states, those to known states included. */
  readonly transitions: number;
  /** True if all states within the bounds were visited. */
  readonly exhausted: boolean;
  readonly counterexample: Counterexample | undefined;
  readonly reached: SearchCoverage;
  /** `undefined` if all states were visited, or a check failed. */
  readonly left: SearchFrontier | undefined;
}

export interface SearchProgress {
  readonly states: number;
  /** States that are reached and not expanded. */
  readonly frontier: number;
}

/** Explores a scenario, a slice at a time; `next(true)` stops it. @throws NotExplorable if it cannot be explored. */
export function* searchStates(
  scenario: Scenario,
  options: SearchOptions,
): Generator<SearchProgress, SearchResult, boolean | undefined> {
  const model = new Model(scenario, options);
  const set = new StateSet((state) => model.canonical(state));
  const validate: Validate = ({ path, check }) => validatePath(scenario, options, path, check);
  const expansion = new Expansion(model, set, validate, options.liveness);
  set.add(model.first(), -1);
  let done = 0;
  while (done < set.size && expansion.counterexample === undefined && set.size <= options.states) {
    expansion.expand(done);
    done += 1;
    if (done % SLICE_STATES === 0 && (yield { states: set.size, frontier: set.size - done }) === true) break;
  }
  const counterexample = expansion.counterexample ?? expansion.refuted;
  const exhausted = counterexample === undefined && done === set.size;
  return {
    states: set.size,
    transitions: expansion.transitions,
    exhausted,
    counterexample,
    reached: model.coverage(),
    left:
      exhausted || counterexample !== undefined
        ? undefined
        : { frontier: set.size - done, depth: depthOf(set, set.size - 1) },
  };
}

function depthOf(set: StateSet, state: number): number {
  let depth = 0;
  for (let at = set.parent(state); at >= 0; at = set.parent(at)) depth += 1;
  return depth;
}

/** Failed check with the path to it, and what validators without normalization do on that. */
export interface Counterexample extends FailedPath {
  readonly validated: PathValidation;
  /** States on the path in its order, the initial one first. */
  readonly states: readonly PathState[];
}

/** State on a path, with the number that the search gave it. */
export interface PathState {
  readonly state: number;
  /** Length of the path to it. */
  readonly depth: number;
  readonly steps: readonly StateStep[];
}

/** Enabled steps of one validator up to its next visible one, and the state behind them if it was reached. */
interface StateStep {
  readonly path: readonly PathStep[];
  readonly to: number | undefined;
}

interface FailedPath extends CheckFailure {
  readonly path: readonly PathStep[];
}

type Validate = (failed: FailedPath) => PathValidation;

/** Expands one state after the other. */
export class Expansion {
  transitions = 0;
  counterexample: Counterexample | undefined;
  /** First path that fails with normal forms only. */
  refuted: Counterexample | undefined;
  #refutations = 0;
  readonly #model: Model;
  readonly #set: StateSet;
  readonly #validate: Validate;
  readonly #liveness: Liveness;
  readonly #mode: LivenessMode;
  /** State that is expanded. */
  #state: GlobalState = [];
  readonly #scratch = emptyBits();

  /** Continues the states of a mode of liveness if the scenario has demands. */
  constructor(model: Model, set: StateSet, validate: Validate, liveness: LivenessMode = "off") {
    this.#model = model;
    this.#set = set;
    this.#validate = validate;
    this.#liveness = new Liveness(model.system, model.interchangeable);
    this.#mode = this.#liveness.hasDemands ? liveness : "off";
  }

  /** Adds all successors of a state, until a check fails. */
  expand(state: number): void {
    this.#state = this.#set.at(state);
    this.#model.select(this.#state);
    const mayCrash = this.#mayCrash(this.#state);
    for (let validator = 0; validator < this.#state.length && this.counterexample === undefined; validator++) {
      const from = this.#state[validator] as number;
      const { steps, failure } = this.#model.successors(validator, from);
      if (failure !== undefined) this.#report(state, failure.why, this.#pathOver(state, validator, failure.state));
      for (const step of steps)
        if (this.counterexample === undefined && (mayCrash || !step.isCrash))
          this.#follow(state, validator, from, step.state);
    }
    if (this.counterexample === undefined && this.#mode !== "off") this.#continue(state);
  }

  /** Returns true if the bounds allow another crash after a state. */
  #mayCrash(state: GlobalState): boolean {
    return this.#model.crashesIn(state) < this.#model.system.bounds.crashes;
  }

  /** Continues the expanded state, if its mode asks for that, and those in which some have decided (liveness.ts). */
  #continue(state: number): void {
    this.#model.select(this.#state);
    const isContinued = this.#mode === "every" || this.#model.isAtRest(this.#state);
    for (const start of [...(isContinued ? [this.#state] : []), ...this.#model.partialDecisions(this.#state)]) {
      const text = this.#liveness.stallOf(this.#model.localStatesIn(start), this.#model.values);
      if (text === undefined) continue;
      this.#model.select(this.#state);
      const last = start.flatMap((to, validator) => {
        const from = this.#state[validator] as number;
        return from === to ? [] : this.#model.steps(validator, from, to);
      });
      this.#report(state, { check: "liveness", text }, this.#pathTo(state, last));
      if (this.counterexample !== undefined) return;
    }
  }

  /** Judges an edge by what its validator signs, of which a state keeps no order, and its end if that is new. */
  #follow(state: number, validator: number, from: number, to: number): void {
    this.transitions += 1;
    const next = this.#state.with(validator, to);
    const failed =
      this.#model.failureOnEdge(validator, from, to) ??
      (this.#set.add(next, state) ? this.#model.failureInState(next, validator, from, this.#scratch) : undefined);
    if (failed !== undefined) this.#report(state, failed, this.#pathOver(state, validator, to));
  }

  /** Ends the search if validators without normalization confirm a failure behind a state, or have refuted many. */
  #report(state: number, failure: CheckFailure, path: readonly PathStep[]): void {
    const failed = { ...failure, path };
    const validated = this.#validate(failed);
    const isConfirmed = validated.violations.length > 0 || validated.stall !== undefined;
    const counterexample = (): Counterexample => ({ ...failed, validated, states: this.#statesTo(state) });
    if (isConfirmed) {
      this.counterexample = counterexample();
      return;
    }
    this.refuted ??= counterexample();
    this.#refutations += 1;
    if (this.#refutations === REFUTED_MAX) this.counterexample = this.refuted;
    this.#model.select(this.#state);
  }

  /**
   * Returns the path on which a state was reached first, and the steps from there to another number of one component.
   */
  #pathOver(state: number, validator: number, to: number): readonly PathStep[] {
    const now = this.#set.at(state);
    this.#model.select(now);
    return this.#pathTo(state, this.#model.steps(validator, now[validator] as number, to));
  }

  /** Returns the path on which a state was reached first, followed by `last`. */
  #pathTo(state: number, last: readonly PathStep[]): readonly PathStep[] {
    return [...this.#segmentsTo(state), last].flat();
  }

  /** Returns the steps between the states on the path on which a state was reached first. */
  #segmentsTo(state: number): readonly (readonly PathStep[])[] {
    const segments: (readonly PathStep[])[] = [];
    for (let at = state; this.#set.parent(at) >= 0; at = this.#set.parent(at)) {
      const [before, now] = [this.#set.at(this.#set.parent(at)), this.#set.at(at)];
      const changed = now.findIndex((part, index) => part !== before[index]);
      this.#model.select(before);
      segments.unshift(this.#model.steps(changed, before[changed] as number, now[changed] as number));
    }
    return segments;
  }

  /** Returns the states on the path on which a state was reached first, with the steps from each. */
  #statesTo(state: number): readonly PathState[] {
    const numbers: number[] = [];
    for (let at = state; at >= 0; at = this.#set.parent(at)) numbers.unshift(at);
    const lengths = this.#segmentsTo(state).map(({ length }) => length);
    let depth = 0;
    return numbers.map((number, index) => {
      if (index > 0) depth += lengths[index - 1] ?? 0;
      const now = this.#set.at(number);
      this.#model.select(now);
      const mayCrash = this.#mayCrash(now);
      const steps = now.flatMap((from, validator) =>
        this.#model
          .successors(validator, from)
          .steps.filter(({ isCrash }) => mayCrash || !isCrash)
          .map(
            ({ state: to }): StateStep => ({
              path: this.#model.steps(validator, from, to),
              to: this.#set.numberOf(now.with(validator, to)),
            }),
          ),
      );
      return { state: number, depth, steps };
    });
  }
}

/** Set of global states in the order in which they were reached; some hundred bytes each. */
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
