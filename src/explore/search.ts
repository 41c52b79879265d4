/** Breadth-first search of all reachable states; the first counterexample has the fewest visible steps. */
import type { Scenario } from "../scenario/scenario.ts";
import { Ahead, type AheadOptions, type Found } from "./ahead.ts";
import type { CheckFailure } from "./checks.ts";
import { ROOM_STATES, SLICE_STATES } from "./limits.ts";
import type { PathStep } from "./local-state.ts";
import { emptyBits, Model, type ModelOptions } from "./model.ts";
import { SUCCESSOR_INTS } from "./replica.ts";
import { StateSet } from "./state-set.ts";
import { trialsIn } from "./trials.ts";

export interface SearchOptions extends ModelOptions {
  /** Limit of states. */
  readonly states: number;
  /** Saved search (`Left.keep`) of the same scenario, bounds and program to resume. */
  readonly saved?: SavedSearch | undefined;
  /** Replicas that expand states ahead of the search (replica.ts); the result is the same. Default: none. */
  readonly ahead?: AheadOptions | undefined;
}

/** Stopped search as rows of numbers. */
export type SavedSearch = readonly Int32Array[];

/** Saved search of another scenario, other bounds or another program. */
export class NotResumable extends Error {
  override readonly name = "NotResumable";
}

/** Frontier of a search that stopped. */
interface Remaining {
  /** States that are reached and not expanded. */
  readonly frontier: number;
  /** Visible steps to the last state that was reached, the maximum of all states. */
  readonly depth: number;
  /** Returns the search for a later resume. */
  readonly keep: () => SavedSearch;
}

export interface SearchResult {
  readonly states: number;
  /** Edges between states, those to known states included. */
  readonly transitions: number;
  /** True if all states within the bounds were visited. */
  readonly exhausted: boolean;
  readonly counterexample: Counterexample | undefined;
  /** Different local states of all validators together. */
  readonly localStates: number;
  /** Inputs that the real program processed. */
  readonly steps: number;
  /** Different statements that were signed. */
  readonly statements: number;
  /** Different transitions. */
  readonly transitionsFound: number;
  /** `undefined` if all states were visited, or a check failed. */
  readonly left: Remaining | undefined;
  /** True if it stopped for lack of memory. */
  readonly isFull: boolean;
}

export interface SearchProgress {
  readonly states: number;
  /** States that are reached and not expanded. */
  readonly frontier: number;
}

/**
 * Explores a scenario, a slice at a time; `next(true)` stops it. @throws NotExplorable if it cannot be explored;
 * NotResumable if the saved search is not of this scenario, these bounds and this program.
 */
export function* search(
  scenario: Scenario,
  options: SearchOptions,
): Generator<SearchProgress, SearchResult, boolean | undefined> {
  const model = new Model(scenario, options);
  const set = new StateSet(model.width, (state, key) => model.canonical(state, key), options.ahead !== undefined);
  const ahead = options.ahead === undefined ? undefined : new Ahead(model, set, options.ahead);
  const walk = new Expansion(model, set);
  const first = model.first();
  let done = 0;
  if (options.saved === undefined) set.add(first, -1);
  else done = goOn(options.saved, model, set, walk);
  let isFull = false;
  try {
    while (done < set.size && walk.counterexample === undefined && set.size <= options.states) {
      isFull = !set.reserve(ROOM_STATES);
      if (isFull) break;
      const found = ahead?.found(done);
      if (found === undefined || !walk.follow(done, found)) walk.expand(done);
      else if (found.isLive) ahead?.noteLive(done);
      done += 1;
      if (done % SLICE_STATES === 0 && (yield { states: set.size, frontier: set.size - done }) === true) break;
    }
  } finally {
    ahead?.end();
  }
  const sum = (of: (localStates: Model["localStates"][number]) => number): number =>
    model.localStates.reduce((total, localStates) => total + of(localStates), 0);
  const exhausted = walk.counterexample === undefined && done === set.size;
  const keep = (): SavedSearch => savedSearch(done, model, set, walk);
  return {
    states: set.size,
    transitions: walk.transitions,
    exhausted,
    counterexample: walk.counterexample,
    localStates: sum(({ size }) => size),
    steps: sum(({ steps }) => steps),
    statements: model.statements.all.length,
    transitionsFound: model.transitionTable.all.length,
    left:
      exhausted || walk.counterexample !== undefined
        ? undefined
        : { frontier: set.size - done, depth: depthOf(set, set.size - 1), keep },
    isFull,
  };
}

/** Counts beyond 31 bits are saved in two numbers. */
const HALF: number = 2 ** 30;

function savedSearch(done: number, model: Model, set: StateSet, { transitions }: Expansion): SavedSearch {
  const rows = set.keep();
  const counts = Int32Array.of(done, Math.floor(transitions / HALF), transitions % HALF, set.size, rows.length);
  return [counts, ...rows, ...model.keep()];
}

/** Returns the number of states that a saved search has reached. */
export function statesIn([counts]: SavedSearch): number {
  return counts?.[3] ?? 0;
}

/** Resumes a saved search; returns the number of expanded states. @throws NotResumable if it does not fit. */
function goOn(kept: SavedSearch, model: Model, set: StateSet, walk: Expansion): number {
  try {
    return takeUp(kept, model, set, walk);
  } catch (error) {
    if (error instanceof RangeError) throw new NotResumable(error.message);
    throw error;
  }
}

function takeUp([counts, ...rows]: SavedSearch, model: Model, set: StateSet, walk: Expansion): number {
  const [done, high, low, size, setRows] = counts ?? [];
  if (done === undefined || high === undefined || low === undefined || size === undefined || setRows === undefined)
    throw new RangeError("the saved search is incomplete");
  model.resume(rows.slice(setRows));
  set.resume(rows.slice(0, setRows));
  if (set.size !== size) throw new RangeError(`expected ${size} states, got ${set.size}`);
  if (done < 0 || done > set.size) throw new RangeError(`expected up to ${set.size} expanded states, got ${done}`);
  walk.transitions = high * HALF + low;
  return done;
}

function depthOf(set: StateSet, state: number): number {
  let depth = 0;
  for (let at = set.parent(state); at >= 0; at = set.parent(at)) depth += 1;
  return depth;
}

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
    this.#model.select(this.#state);
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

  /** Adds the successors of a state that a replica has expanded; returns `false` if it has not. */
  follow(state: number, { ints, transitions, isLive, start, trials, successors }: Found): boolean {
    for (const trial of trialsIn(ints, start, trials)) this.#model.accept(trial);
    if (transitions === undefined) return false;
    this.transitions += transitions;
    if (isLive || trials < successors) this.#set.read(state, this.#state);
    this.#next.set(this.#state);
    for (let at = trials; at < successors; at += SUCCESSOR_INTS) {
      const by = ints[at] as number;
      this.#next[by] = ints[at + 1] as number;
      this.#set.addHashed(this.#next, state, ints[at + 2] as number);
      this.#next[by] = this.#state[by] as number;
    }
    if (isLive) this.#model.noteLive(this.#state);
    return true;
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
    this.#model.select(now);
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
      this.#model.select(before);
      turns.push(this.#model.steps(changed, before[changed] as number, now[changed] as number));
    }
    return turns.reverse().flat();
  }
}
