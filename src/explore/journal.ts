/**
 * How the lives and messages of an exploration came to be, in order: whoever repeats it with the same program has the same
 * lives, sayings and stimuli under the same numbers, without trying again what led nowhere new.
 */
import type { Cut } from "./life.ts";
import { WORDS } from "./limits.ts";

/** The first time that the inputs of a stimulus were made: from what was signed then. */
export interface Built {
  readonly type: "built";
  readonly stimulus: number;
  readonly signed: Int32Array;
}

/** A step that led a validator to a life that it had not had before. */
export interface Lived {
  readonly type: "lived";
  readonly by: number;
  readonly from: number;
  /** `undefined`: nothing happened but the crash. */
  readonly stimulus: number | undefined;
  readonly cut: Cut | undefined;
}

/** Stands where a validator's place would. */
const BUILT = -1;
/** Stands for what is not there. */
const NONE = -1;
const BUILT_INTS: number = 2 + WORDS;
const LIVED_INTS = 5;

/** Written as it happens. */
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

/** What a journal says. @throws RangeError where it ends in the middle of an event. */
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
