/** Ways from one life to another, and what is known of those of a life: as objects, and as numbers that can be kept. */
import type { Cut } from "./life.ts";

/** A way from one life to another. */
export interface Way {
  readonly life: number;
  /** Where a crash strikes on it. */
  readonly cut: Cut | undefined;
  /** Any of these leads there; none where the crash is all that happens. */
  readonly stimuli: number[];
}

/** What is known of the ways of a life. */
export interface Ways {
  /** Each other life that one step leads to, with and without a crash. */
  readonly ways: Way[];
  /** Stimuli that were not possible yet wherever this life was looked at. */
  untried: number[];
  /** How many stimuli it has heard of. */
  heard: number;
  /** Whether it is known where a crash leads. */
  hasCrashed: boolean;
}

/** Of a life that nobody has looked at. */
export function noWays(): Ways {
  return { ways: [], untried: [], heard: 0, hasCrashed: false };
}

/** The ways of many lives as one row of numbers. */
export function intsOfWays(lives: Iterable<Ways>): Int32Array {
  const ints: number[] = [];
  for (const { ways, untried, heard, hasCrashed } of lives) {
    ints.push(heard, hasCrashed ? 1 : 0, untried.length, ...untried, ways.length);
    for (const { life, cut, stimuli } of ways)
      ints.push(life, cut?.input ?? -1, cut?.outputs ?? -1, stimuli.length, ...stimuli);
  }
  return Int32Array.from(ints);
}

/** What `intsOfWays` wrote. @throws RangeError for numbers that it did not write. */
export function* waysIn(ints: Int32Array): Generator<Ways> {
  let at = 0;
  const next = (): number => {
    const int = ints[at];
    if (int === undefined) throw new RangeError(`expected more than ${ints.length} numbers`);
    at += 1;
    return int;
  };
  const list = (): number[] => Array.from({ length: count(next(), ints.length) }, next);
  while (at < ints.length) {
    const [heard, hasCrashed, untried] = [next(), next() === 1, list()];
    const ways = Array.from({ length: count(next(), ints.length) }, (): Way => {
      const [life, input, outputs] = [next(), next(), next()];
      return { life, cut: input < 0 ? undefined : { input, outputs }, stimuli: list() };
    });
    yield { ways, untried, heard, hasCrashed };
  }
}

function count(int: number, most: number): number {
  if (int < 0 || int > most) throw new RangeError(`expected a count up to ${most}, got ${int}`);
  return int;
}
