/** Edges between local states as objects and as numbers that can be saved. */
import type { Cut } from "./life.ts";

/** Edge from one local state to another. */
export interface Way {
  readonly life: number;
  /** Crash point on the edge. */
  readonly cut: Cut | undefined;
  /** Transitions that lead along it; empty for a crash without inputs. */
  readonly stimuli: number[];
}

/** Known edges of a local state. */
export interface Ways {
  /** Each successor by one step, with and without a crash. */
  readonly ways: Way[];
  /** Transitions that were disabled at all visits so far. */
  untried: number[];
  /** Number of transitions that were known at the last visit. */
  heard: number;
  /** True if the successor by a crash is known. */
  hasCrashed: boolean;
}

/** Returns the edges of an unvisited local state. */
export function noWays(): Ways {
  return { ways: [], untried: [], heard: 0, hasCrashed: false };
}

/** Returns the edges of many local states as one row of numbers. */
export function intsOfWays(lives: Iterable<Ways>): Int32Array {
  const ints: number[] = [];
  for (const { ways, untried, heard, hasCrashed } of lives) {
    ints.push(heard, hasCrashed ? 1 : 0, untried.length, ...untried, ways.length);
    for (const { life, cut, stimuli } of ways)
      ints.push(life, cut?.input ?? -1, cut?.outputs ?? -1, stimuli.length, ...stimuli);
  }
  return Int32Array.from(ints);
}

/** Reads what `intsOfWays` wrote. @throws RangeError for other numbers. */
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
