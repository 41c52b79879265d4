/**
 * Log of new local states and transition inputs in order: replaying it with the same program restores the same numbers
 * of local states, statements and transitions without repeating fruitless steps.
 */
import type { Cut } from "./life.ts";
import { WORDS } from "./limits.ts";

/** First build of a transition's inputs, from the signatures of that time. */
export interface Built {
  readonly type: "built";
  readonly stimulus: number;
  readonly signed: Int32Array;
}

/** Step to a new local state of a validator. */
export interface Lived {
  readonly type: "lived";
  readonly by: number;
  readonly from: number;
  /** `undefined` for a crash without inputs. */
  readonly stimulus: number | undefined;
  readonly cut: Cut | undefined;
}

/** Placeholder for a validator's index. */
const BUILT = -1;
/** Placeholder for an absent value. */
const NONE = -1;
const BUILT_INTS: number = 2 + WORDS;
const LIVED_INTS = 5;

/** Append-only log of events. */
export class Journal {
  readonly #ints: number[] = [];

  built(stimulus: number, signed: Int32Array): void {
    this.#ints.push(BUILT, stimulus, ...signed);
  }

  lived(by: number, from: number, stimulus: number | undefined, cut: Cut | undefined): void {
    this.#ints.push(by, from, stimulus ?? NONE, cut?.input ?? NONE, cut?.outputs ?? NONE);
  }

  /** All of it, as numbers for `eventsIn`. */
  ints(): Int32Array {
    return Int32Array.from(this.#ints);
  }
}

/** Reads the events of a journal. @throws RangeError if it ends inside an event. */
export function* eventsIn(ints: Int32Array): Generator<Built | Lived> {
  for (let at = 0; at < ints.length; ) {
    const size = ints[at] === BUILT ? BUILT_INTS : LIVED_INTS;
    const event = ints.subarray(at, at + size);
    if (event.length < size) throw new RangeError(`expected an event of ${size} numbers, got ${event.length}`);
    yield event[0] === BUILT ? builtIn(event) : livedIn(event);
    at += size;
  }
}

function builtIn(event: Int32Array): Built {
  return { type: "built", stimulus: event[1] as number, signed: event.subarray(2) };
}

function livedIn([by, from, stimulus, input, outputs]: Int32Array): Lived {
  return {
    type: "lived",
    by: by as number,
    from: from as number,
    stimulus: stimulus === NONE ? undefined : stimulus,
    cut: input === NONE ? undefined : { input: input as number, outputs: outputs as number },
  };
}
