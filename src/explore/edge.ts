/** Edges between local states as objects and as numbers that can be saved. */
import type { CrashPoint } from "./local-state.ts";

/** Edge from one local state to another. */
export interface Edge {
  readonly state: number;
  /** Crash point on the edge. */
  readonly crashPoint: CrashPoint | undefined;
  /** Transitions that lead along it; empty for a crash without inputs. */
  readonly transitions: number[];
}

/** Known edges of a local state. */
export interface KnownEdges {
  /** Each successor by one step, with and without a crash. */
  readonly edges: Edge[];
  /** Transitions that were disabled at all visits so far. */
  disabled: number[];
  /** Number of transitions that were known at the last visit. */
  transitionsKnown: number;
  /** True if the successor by a crash is known. */
  hasCrashed: boolean;
}

/** Returns the edges of an unvisited local state. */
export function noEdges(): KnownEdges {
  return { edges: [], disabled: [], transitionsKnown: 0, hasCrashed: false };
}

/** Returns the edges of many local states as one row of numbers. */
export function edgesToInts(localStates: Iterable<KnownEdges>): Int32Array {
  const ints: number[] = [];
  for (const { edges, disabled: untried, transitionsKnown: heard, hasCrashed } of localStates) {
    ints.push(heard, hasCrashed ? 1 : 0, untried.length, ...untried, edges.length);
    for (const { state: localState, crashPoint, transitions } of edges)
      ints.push(localState, crashPoint?.input ?? -1, crashPoint?.outputs ?? -1, transitions.length, ...transitions);
  }
  return Int32Array.from(ints);
}

/** Reads what `intsOfWays` wrote. @throws RangeError for other numbers. */
export function* edgesFromInts(ints: Int32Array): Generator<KnownEdges> {
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
    const edges = Array.from({ length: count(next(), ints.length) }, (): Edge => {
      const [localState, input, outputs] = [next(), next(), next()];
      return { state: localState, crashPoint: input < 0 ? undefined : { input, outputs }, transitions: list() };
    });
    yield { edges, disabled: untried, transitionsKnown: heard, hasCrashed };
  }
}

function count(int: number, most: number): number {
  if (int < 0 || int > most) throw new RangeError(`expected a count up to ${most}, got ${int}`);
  return int;
}
