/** Every state that can be reached, breadth first: so the first violation that is found is one with the fewest turns. */
import type { Scenario } from "../scenario/scenario.ts";
import { ROOM_STATES, SLICE_STATES } from "./limits.ts";
import { Model, type ModelOptions } from "./model.ts";
import { StateSet } from "./state-set.ts";
import { type Breach, Walk } from "./walk.ts";

export interface SearchOptions extends ModelOptions {
  /** After how many states it gives up. */
  readonly states: number;
  /** What `Left.keep` gave for the same scenario, bounds and program: it goes on from there. */
  readonly kept?: Kept | undefined;
}

/** A search that has stopped, as rows of numbers. */
export type Kept = readonly Int32Array[];

/** Something kept that is not of this scenario, these bounds and this program. */
export class NotResumable extends Error {
  override readonly name = "NotResumable";
}

/** What was not looked at by a search that gave up. */
export interface Left {
  /** States that are reached and not looked at yet. */
  readonly frontier: number;
  /** Turns on the way to the last state that was reached: no way to any other is longer. */
  readonly depth: number;
  /** All that it takes to go on. */
  readonly keep: () => Kept;
}

export interface Searched {
  readonly states: number;
  /** Ways from one state to another, those to known ones included. */
  readonly transitions: number;
  /** Whether everything within the bounds was looked at. */
  readonly exhausted: boolean;
  readonly breach: Breach | undefined;
  /** Different lives of all validators together. */
  readonly lives: number;
  /** How often the real program took an input. */
  readonly steps: number;
  /** Different statements that were signed. */
  readonly sayings: number;
  /** Different things that could be delivered. */
  readonly stimuli: number;
  /** `undefined` where everything was looked at, or something broke. */
  readonly left: Left | undefined;
  /** Whether it gave up for want of memory. */
  readonly isFull: boolean;
}

export interface Progressed {
  readonly states: number;
  /** States that are reached and not looked at yet. */
  readonly frontier: number;
}

/**
 * Explores a scenario, a slice at a time; whoever passes `true` stops it. @throws NotExplorable where it cannot be;
 * NotResumable for something kept that is not of this scenario, these bounds and this program.
 */
export function* search(
  scenario: Scenario,
  options: SearchOptions,
): Generator<Progressed, Searched, boolean | undefined> {
  const model = new Model(scenario, options);
  const set = new StateSet(model.width, (state, key) => model.canonical(state, key));
  const walk = new Walk(model, set);
  const first = model.first();
  let done = 0;
  if (options.kept === undefined) set.add(first, -1);
  else done = goOn(options.kept, model, set, walk);
  let isFull = false;
  while (done < set.size && walk.breach === undefined && set.size <= options.states) {
    isFull = !set.reserve(ROOM_STATES);
    if (isFull) break;
    walk.expand(done);
    done += 1;
    if (done % SLICE_STATES === 0 && (yield { states: set.size, frontier: set.size - done }) === true) break;
  }
  const sum = (of: (lives: Model["lives"][number]) => number): number =>
    model.lives.reduce((total, lives) => total + of(lives), 0);
  const exhausted = walk.breach === undefined && done === set.size;
  const keep = (): Kept => keptOf(done, model, set, walk);
  return {
    states: set.size,
    transitions: walk.transitions,
    exhausted,
    breach: walk.breach,
    lives: sum(({ size }) => size),
    steps: sum(({ steps }) => steps),
    sayings: model.sayings.all.length,
    stimuli: model.stimuli.all.length,
    left:
      exhausted || walk.breach !== undefined
        ? undefined
        : { frontier: set.size - done, depth: depthOf(set, set.size - 1), keep },
    isFull,
  };
}

/** Counts beyond 31 bits are kept in two numbers. */
const HALF: number = 2 ** 30;

function keptOf(done: number, model: Model, set: StateSet, { transitions }: Walk): Kept {
  const counts = Int32Array.of(done, Math.floor(transitions / HALF), transitions % HALF);
  const { tuples, parents } = set.keep();
  return [counts, tuples, parents, ...model.keep()];
}

/** How many states were reached by a search that was kept. */
export function statesIn([, , parents]: Kept): number {
  return parents?.length ?? 0;
}

/** Takes up what was kept; returns how many states are done. @throws NotResumable where that cannot be. */
function goOn(kept: Kept, model: Model, set: StateSet, walk: Walk): number {
  try {
    return takeUp(kept, model, set, walk);
  } catch (error) {
    if (error instanceof RangeError) throw new NotResumable(error.message);
    throw error;
  }
}

function takeUp([counts, tuples, parents, ...lives]: Kept, model: Model, set: StateSet, walk: Walk): number {
  const [done, high, low] = counts ?? [];
  if (done === undefined || high === undefined || low === undefined || tuples === undefined || parents === undefined)
    throw new RangeError("a part is missing");
  model.resume(lives);
  set.resume({ tuples, parents });
  if (done < 0 || done > set.size) throw new RangeError(`expected up to ${set.size} states that are done, got ${done}`);
  walk.transitions = high * HALF + low;
  return done;
}

function depthOf(set: StateSet, state: number): number {
  let depth = 0;
  for (let at = set.parent(state); at >= 0; at = set.parent(at)) depth += 1;
  return depth;
}
