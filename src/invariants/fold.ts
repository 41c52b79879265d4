/** How every oracle is built: a pure fold over records, with the chronicle of the run beside it. */
import type { Address, Millis } from "../core/base/ids.ts";
import type { Chronicle } from "./history/chronicle.ts";
import type { Happening, InvariantName, Observed, RecordOf, Violation } from "./observation.ts";

/** One invariant, judged record by record: cost linear in the run. Forks cheaply, as the world does. */
export interface Oracle {
  readonly name: InvariantName;
  /** The happenings that it judges; it is shown no others. */
  readonly heeds: readonly Happening["type"][];
  /** Judges one record of these; `seen` includes it already. */
  observe(record: Observed, seen: Chronicle): readonly Violation[];
  /** An independent copy. */
  fork(): Oracle;
}

/** Where a violation happened, if not at the record that showed it. */
export interface Place {
  readonly step: number;
  readonly at: Millis;
}

export interface More {
  readonly blame?: readonly Address[];
  readonly where?: Place;
}

/** Says that the invariant is broken. */
export type Report = (detail: string, more?: More) => void;

/** Judges one record against what is remembered. `seen` already includes the record. Never mutates `state`. */
export type Judgement<S, T extends Happening["type"]> = (
  state: S,
  seen: Chronicle,
  record: RecordOf<T>,
  report: Report,
) => S;

const SOUND: readonly Violation[] = [];

/** An oracle from a fold over the records of some types. Its state is immutable, so a fork is one more reference to it. */
export function oracle<S, T extends Happening["type"]>(
  name: InvariantName,
  heeds: readonly T[],
  initial: S,
  judge: Judgement<S, T>,
): Oracle {
  let state = initial;
  let found: Violation[] = [];
  let current: Place | undefined;
  const report: Report = (detail, more) => {
    const { step, at } = more?.where ?? (current as Place);
    found.push({ invariant: name, step, at, detail, blame: more?.blame ?? [] });
  };
  return {
    name,
    heeds,
    observe(record, seen) {
      current = record;
      state = judge(state, seen, record as RecordOf<T>, report);
      if (found.length === 0) return SOUND;
      const violations = found;
      found = [];
      return violations;
    },
    fork: () => oracle(name, heeds, state, judge),
  };
}
