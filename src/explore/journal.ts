/**
 * Log of new local states and transition inputs in order: replaying it with the same program restores the same numbers
 * of local states, statements and transitions without repeating fruitless steps.
 */

import { SET_WORDS } from "./limits.ts";
import type { CrashPoint } from "./local-state.ts";

/** First build of a transition's inputs, from the signatures of that time. */
export type InputsMade = Readonly<{ type: "inputsMade"; transition: number; signed: Int32Array }>;

/** Step to a new local state of a validator. */
export interface StateReached {
  readonly type: "stateReached";
  readonly by: number;
  readonly from: number;
  /** `undefined` for a crash without inputs. */
  readonly transition: number | undefined;
  readonly crashPoint: CrashPoint | undefined;
}

/** Placeholder for a validator's index. */
const INPUTS_MADE = -1;
/** Placeholder for an absent value. */
const NONE = -1;
const INPUTS_MADE_INTS: number = 2 + SET_WORDS;
const STATE_REACHED_INTS = 5;

/** Append-only log of events. */
export class Journal {
  readonly #ints: number[] = [];

  inputsMade(transition: number, signed: Int32Array): void {
    this.#ints.push(INPUTS_MADE, transition, ...signed);
  }

  stateReached(by: number, from: number, transition: number | undefined, crashPoint: CrashPoint | undefined): void {
    this.#ints.push(by, from, transition ?? NONE, crashPoint?.input ?? NONE, crashPoint?.outputs ?? NONE);
  }

  /** Number of numbers so far. */
  get length(): number {
    return this.#ints.length;
  }

  /** Returns all of it from one earlier `length` on, as numbers for `eventsIn`. */
  ints(start = 0): Int32Array {
    return Int32Array.from(this.#ints.slice(start));
  }
}

/** Reads the events of a journal. @throws RangeError if it ends inside an event. */
export function* eventsIn(ints: Int32Array): Generator<InputsMade | StateReached> {
  for (let at = 0; at < ints.length; ) {
    const size = ints[at] === INPUTS_MADE ? INPUTS_MADE_INTS : STATE_REACHED_INTS;
    const event = ints.subarray(at, at + size);
    if (event.length < size) throw new RangeError(`expected an event of ${size} numbers, got ${event.length}`);
    yield event[0] === INPUTS_MADE ? inputsMadeIn(event) : statesReachedIn(event);
    at += size;
  }
}

function inputsMadeIn(event: Int32Array): InputsMade {
  return { type: "inputsMade", transition: event[1] as number, signed: event.subarray(2) };
}

function statesReachedIn([by, from, transition, input, outputs]: Int32Array): StateReached {
  return {
    type: "stateReached",
    by: by as number,
    from: from as number,
    transition: transition === NONE ? undefined : transition,
    crashPoint: input === NONE ? undefined : { input: input as number, outputs: outputs as number },
  };
}
