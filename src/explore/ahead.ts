/** Expansion of states ahead of a search, by replicas in other threads; the search takes their results in order. */
import type { Model, ModelUpdate } from "./model.ts";
import { type Expanded, FOUND, type Job, ROW_INTS } from "./replica.ts";
import type { StateSet } from "./state-set.ts";

/** Replica in another thread. */
export interface Helper {
  /** True once it can begin a job. */
  readonly isReady: () => boolean;
  readonly post: (job: Job) => void;
  /** Returns the result of the first job without one, waiting for it. @throws the error of the replica */
  readonly take: () => Expanded;
  readonly end: () => void;
}

/** Sizes of a search with helpers. */
export interface AheadOptions {
  /** Starts the helpers. */
  readonly start: () => readonly Helper[];
  /** They start once so many states are reached and not expanded. */
  readonly frontier: number;
  /** States in a job. */
  readonly batch: number;
}

/** Result of a replica for one state. */
export interface Found {
  readonly ints: Expanded;
  /** Number of edges; `undefined` if the search has to expand the state. */
  readonly transitions: number | undefined;
  readonly isLive: boolean;
  /** Ends of the trials and of the successors among the numbers. */
  readonly trials: number;
  readonly successors: number;
  /** Start of the trials, whose end is the start of the successors. */
  readonly start: number;
}

/** Jobs that a helper may have at once: one that it works on, and one that it begins next. */
const JOBS = 2;

type Posted = Readonly<{ worker: Worker; from: number; to: number }>;

/** Helper with what it has been told. */
interface Worker {
  readonly helper: Helper;
  jobs: number;
  models: number;
  tuples: number;
  live: number;
}

export class Ahead {
  readonly #model: Model;
  readonly #set: StateSet;
  readonly #options: AheadOptions;
  #workers: readonly Worker[] | undefined;
  readonly #updates: ModelUpdate[] = [];
  readonly #live: number[] = [];
  readonly #posted: Posted[] = [];
  /** First state that no job contains. */
  #next = 0;
  /** Result of the first posted job, and the start of its next row. */
  #result: Expanded | undefined;
  #at = 0;

  constructor(model: Model, set: StateSet, options: AheadOptions) {
    this.#model = model;
    this.#set = set;
    this.#options = options;
  }

  /**
   * Returns what a replica found out about the next state of the search; `undefined` if none has expanded it with what
   * the model knows by now.
   */
  found(state: number): Found | undefined {
    this.#post(state);
    const [first] = this.#posted;
    if (first === undefined || state < first.from) return undefined;
    if (this.#result === undefined) {
      this.#result = first.worker.helper.take();
      first.worker.jobs -= 1;
      this.#at = 1;
    }
    const found = this.#row(this.#result);
    if (state === first.to - 1) {
      this.#posted.shift();
      this.#result = undefined;
    }
    return found;
  }

  /** Notes that a replica found a state to be live, for the others. */
  noteLive(state: number): void {
    this.#live.push(state);
  }

  end(): void {
    for (const { helper } of this.#workers ?? []) helper.end();
  }

  #row(ints: Expanded): Found | undefined {
    const [found, transitions = 0, trials = 0, successors = 0] = ints.subarray(this.#at, this.#at + ROW_INTS);
    const start = this.#at + ROW_INTS;
    this.#at = start + trials + successors;
    if (ints[0] !== this.#model.learned) return undefined;
    return {
      ints,
      transitions: found === FOUND.nothing ? undefined : transitions,
      isLive: found === FOUND.live,
      start,
      trials: start + trials,
      successors: this.#at,
    };
  }

  /** Gives jobs to the helpers that have few. */
  #post(state: number): void {
    if (this.#workers === undefined) {
      if (this.#set.size - state < this.#options.frontier) return;
      this.#workers = this.#options.start().map((helper) => ({ helper, jobs: 0, models: 0, tuples: 0, live: 0 }));
    }
    const { batch } = this.#options;
    // The search goes on with the first states, until the first job is done.
    if (this.#posted.length === 0) this.#next = state + 1;
    while (this.#next + batch <= this.#set.size) {
      const worker = this.#idlest();
      if (worker === undefined) return;
      this.#give(worker, this.#next, this.#next + batch);
      this.#next += batch;
    }
  }

  /** Returns the ready helper with the fewest jobs; `undefined` if all have enough. */
  #idlest(): Worker | undefined {
    let idlest: Worker | undefined;
    for (const worker of this.#workers ?? [])
      if (worker.jobs < (idlest?.jobs ?? JOBS) && worker.helper.isReady()) idlest = worker;
    return idlest;
  }

  #give(worker: Worker, from: number, to: number): void {
    const update = this.#model.update();
    if (update !== undefined) this.#updates.push(update);
    worker.helper.post({
      from,
      to,
      models: this.#updates.slice(worker.models),
      states: this.#set.update(worker.tuples),
      live: this.#live.slice(worker.live),
    });
    worker.models = this.#updates.length;
    worker.tuples = this.#set.made;
    worker.live = this.#live.length;
    worker.jobs += 1;
    this.#posted.push({ worker, from, to });
  }
}
