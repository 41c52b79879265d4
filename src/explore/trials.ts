/** Trials of transitions in local states: a replica makes them, and the search takes them over. */
import type { CrashPoint } from "./local-state.ts";

/** Steps that a transition was found to take from a local state. */
export interface Trial {
  /** Index of the validator among the honest ones. */
  readonly by: number;
  readonly from: number;
  /** `NO_TRANSITION` for a crash alone. */
  readonly transition: number;
  /** Number of inputs that the real program processed. */
  readonly steps: number;
  /** Local state behind all inputs; `from` if they have no effect. */
  readonly next: number;
  readonly crashes: readonly { readonly crashPoint: CrashPoint; readonly next: number }[];
}

/** Trials in the order in which they were made, as numbers for `trialsIn`. */
export class TrialLog {
  #ints: number[] = [];
  readonly #isKept: boolean;

  /** The search itself keeps no log. */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  add({ by, from, transition, steps, next, crashes }: Trial): void {
    if (!this.#isKept) return;
    this.#ints.push(by, from, transition, steps, next, crashes.length);
    for (const { crashPoint, next: crashed } of crashes) this.#ints.push(crashPoint.input, crashPoint.outputs, crashed);
  }

  /** Returns the trials since the last call. */
  take(): readonly number[] {
    const ints = this.#ints;
    this.#ints = [];
    return ints;
  }
}

const TRIAL_INTS = 6;
const CRASH_INTS = 3;

/** Reads the trials from `start` to `end`. */
export function* trialsIn(ints: Int32Array, start: number, end: number): Generator<Trial> {
  for (let at = start; at < end; ) {
    const [by = 0, from = 0, transition = 0, steps = 0, next = 0, count = 0] = ints.subarray(at, at + TRIAL_INTS);
    at += TRIAL_INTS;
    const crashes = Array.from({ length: count }, () => {
      const [input = 0, outputs = 0, crashed = 0] = ints.subarray(at, at + CRASH_INTS);
      at += CRASH_INTS;
      return { crashPoint: { input, outputs }, next: crashed };
    });
    yield { by, from, transition, steps, next, crashes };
  }
}
