/** Course of a campaign: its state after some of its runs, and its slowest runs, as lines for reports. */

/** State after a number of runs. */
export interface CoursePoint {
  readonly type: "progress";
  readonly runs: number;
  readonly failed: number;
  /** Failure signatures. */
  readonly distinct: number;
  readonly events: number;
  /** Coverage points that were reached. */
  readonly points: number;
  /** Such points by a kind of fault that a run had which reached them. */
  readonly by: Readonly<Record<string, number>>;
  /** Milliseconds so far: of the clock for `fuzz`, of work over all threads for a campaign of jobs. */
  readonly wall_ms: number;
}

export interface SlowRun {
  readonly type: "slow";
  readonly seed: string;
  readonly events: number;
  readonly wall_ms: number;
}

/** Share of the runs between two points: some hundred for any campaign. */
const SHARE = 1 / 16;
/** Runs that are named. */
const SLOWEST = 10;

export class Course {
  #next = 1;
  #last = 0;
  #slowest: readonly SlowRun[] = [];

  /** True if the state after so many runs is worth a point. */
  isDue(runs: number): boolean {
    if (runs < this.#next) return false;
    this.#next = runs + Math.max(1, Math.floor(runs * SHARE));
    this.#last = runs;
    return true;
  }

  /** True if the state at the end is a point of its own. */
  isOpen(runs: number): boolean {
    return runs > this.#last;
  }

  noteSlowRun({ seed, events, ms }: Pick<SlowRun, "seed" | "events"> & { readonly ms: number }): void {
    const least = this.#slowest.at(SLOWEST - 1);
    if (least !== undefined && least.wall_ms >= ms) return;
    const run: SlowRun = { type: "slow", seed, events, wall_ms: ms };
    this.#slowest = [...this.#slowest, run].sort((a, b) => b.wall_ms - a.wall_ms).slice(0, SLOWEST);
  }

  /** The slowest runs, the slowest first. */
  get slowest(): readonly SlowRun[] {
    return this.#slowest;
  }
}
