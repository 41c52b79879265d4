/** Every state that can be reached, breadth first: so the first violation that is found is one of the shortest. */
import type { Scenario } from "../scenario.ts";
import type { Cut } from "./life.ts";
import { SLICE_STATES } from "./limits.ts";
import type { Way } from "./lives.ts";
import { type Failed, Model, type ModelOptions, noWords } from "./model.ts";
import { StateSet } from "./state-set.ts";

export interface SearchOptions extends ModelOptions {
  /** After how many states it gives up. */
  readonly states: number;
}

/** One step of a path: what happened to whom. */
export interface PathStep {
  readonly who: string;
  readonly what: string;
  readonly cut: Cut | undefined;
}

export interface Breach extends Failed {
  readonly path: readonly PathStep[];
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
}

export interface Progressed {
  readonly states: number;
  /** States that are reached and not looked at yet. */
  readonly frontier: number;
}

/** Explores a scenario, a slice at a time; whoever passes `true` stops it. @throws NotExplorable where it cannot be. */
export function* search(
  scenario: Scenario,
  options: SearchOptions,
): Generator<Progressed, Searched, boolean | undefined> {
  const model = new Model(scenario, options);
  const set = new StateSet(model.width, (state, key) => model.canonical(state, key));
  set.add(model.first(), -1);
  const walk = new Walk(model, set);
  let done = 0;
  while (done < set.size && walk.breach === undefined && set.size <= options.states) {
    walk.expand(done);
    done += 1;
    if (done % SLICE_STATES === 0 && (yield { states: set.size, frontier: set.size - done }) === true) break;
  }
  const sum = (of: (lives: Model["lives"][number]) => number): number =>
    model.lives.reduce((total, lives) => total + of(lives), 0);
  return {
    states: set.size,
    transitions: walk.transitions,
    exhausted: walk.breach === undefined && done === set.size,
    breach: walk.breach,
    lives: sum(({ size }) => size),
    steps: sum(({ steps }) => steps),
    sayings: model.sayings.all.length,
    stimuli: model.stimuli.all.length,
  };
}

/** Goes on from one state after the other. */
class Walk {
  transitions = 0;
  breach: Breach | undefined;
  readonly #model: Model;
  readonly #set: StateSet;
  readonly #state: Int32Array;
  readonly #next: Int32Array;
  readonly #signed = noWords();
  readonly #scratch = noWords();

  constructor(model: Model, set: StateSet) {
    this.#model = model;
    this.#set = set;
    this.#state = new Int32Array(model.width);
    this.#next = new Int32Array(model.width);
  }

  /** Adds whatever follows a state, until something is broken. */
  expand(state: number): void {
    this.#set.read(state, this.#state);
    this.#next.set(this.#state);
    this.#model.signedIn(this.#state, this.#signed);
    const mayCrash = this.#model.crashesIn(this.#state) < this.#model.arena.bounds.crashes;
    for (let by = 0; by < this.#state.length; by++) {
      const from = this.#state[by] as number;
      this.#model.onwards(by, from, this.#signed, (way) => {
        if (this.breach === undefined && (way.cut === undefined || mayCrash)) this.#follow(state, by, from, way);
      });
      this.#next[by] = from;
    }
  }

  #follow(state: number, by: number, from: number, way: Way): void {
    this.transitions += 1;
    this.#next[by] = way.life;
    if (!this.#set.add(this.#next, state)) return;
    const failed = this.#model.check(this.#next, by, from, this.#scratch);
    if (failed !== undefined) this.breach = { ...failed, path: this.#pathTo(this.#set.size - 1) };
  }

  /** How a state was reached first. */
  #pathTo(state: number): readonly PathStep[] {
    const steps: PathStep[] = [];
    const { width } = this.#model;
    const [before, now] = [new Int32Array(width), new Int32Array(width)];
    for (let at = state; this.#set.parent(at) >= 0; at = this.#set.parent(at)) {
      this.#set.read(this.#set.parent(at), before);
      this.#set.read(at, now);
      steps.push(this.#stepBetween(before, now));
    }
    return steps.reverse();
  }

  #stepBetween(before: Int32Array, now: Int32Array): PathStep {
    const by = now.findIndex((part, place) => part !== before[place]);
    const [from, to] = [before[by] as number, now[by] as number];
    const signed = noWords();
    this.#model.signedIn(before, signed);
    let step: PathStep | undefined;
    this.#model.onwards(by, from, signed, (way) => {
      if (way.life === to)
        step ??= { who: this.#model.nameOf(by), what: this.#model.told(by, from, way, signed), cut: way.cut };
    });
    if (step === undefined) throw new RangeError("a state has no way from the state before it");
    return step;
  }
}
