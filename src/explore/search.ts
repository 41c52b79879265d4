/** Breadth-first search of all reachable states: the first counterexample has the fewest visible steps. */
import type { Scenario } from "../scenario/scenario.ts";
import { type Counterexample, Expansion } from "./expansion.ts";
import { ROOM_STATES, SLICE_STATES } from "./limits.ts";
import { Model, type ModelOptions } from "./model.ts";
import { StateSet } from "./state-set.ts";

export interface SearchOptions extends ModelOptions {
  /** Limit of states. */
  readonly states: number;
  /** Saved search (`Left.keep`) of the same scenario, bounds and program to resume. */
  readonly saved?: SavedSearch | undefined;
}

/** Stopped search as rows of numbers. */
export type SavedSearch = readonly Int32Array[];

/** Saved search of another scenario, other bounds or another program. */
export class NotResumable extends Error {
  override readonly name = "NotResumable";
}

/** Frontier of a search that stopped. */
export interface Remaining {
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
  const set = new StateSet(model.width, (state, key) => model.canonical(state, key));
  const walk = new Expansion(model, set);
  const first = model.first();
  let done = 0;
  if (options.saved === undefined) set.add(first, -1);
  else done = goOn(options.saved, model, set, walk);
  let isFull = false;
  while (done < set.size && walk.counterexample === undefined && set.size <= options.states) {
    isFull = !set.reserve(ROOM_STATES);
    if (isFull) break;
    walk.expand(done);
    done += 1;
    if (done % SLICE_STATES === 0 && (yield { states: set.size, frontier: set.size - done }) === true) break;
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
  const counts = Int32Array.of(done, Math.floor(transitions / HALF), transitions % HALF);
  const { tuples, parents } = set.keep();
  return [counts, tuples, parents, ...model.keep()];
}

/** Returns the number of states that a saved search has reached. */
export function statesIn([, , parents]: SavedSearch): number {
  return parents?.length ?? 0;
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

function takeUp(
  [counts, tuples, parents, ...localStates]: SavedSearch,
  model: Model,
  set: StateSet,
  walk: Expansion,
): number {
  const [done, high, low] = counts ?? [];
  if (done === undefined || high === undefined || low === undefined || tuples === undefined || parents === undefined)
    throw new RangeError("the saved search is incomplete");
  model.resume(localStates);
  set.resume({ tuples, parents });
  if (done < 0 || done > set.size) throw new RangeError(`expected up to ${set.size} expanded states, got ${done}`);
  walk.transitions = high * HALF + low;
  return done;
}

function depthOf(set: StateSet, state: number): number {
  let depth = 0;
  for (let at = set.parent(state); at >= 0; at = set.parent(at)) depth += 1;
  return depth;
}
