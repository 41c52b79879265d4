/** Construction of oracles: pure folds over events, with access to the chronicle of the run. */
import type { Address, Millis } from "../core/base/ids.ts";
import type { Chronicle } from "./history/chronicle.ts";
import type { Happening, InvariantName, Observed, RecordOf, Violation } from "./observation.ts";

/** Checker of one invariant, event by event; linear cost in the length of the run. Forks in O(1). */
export interface Oracle {
  readonly name: InvariantName;
  /** Types of events that it handles; it receives no others. */
  readonly heeds: readonly Happening["type"][];
  /** Checks one event; `seen` includes it already. */
  observe(record: Observed, seen: Chronicle): readonly Violation[];
  /** Returns an independent copy. */
  fork(): Oracle;
}

/** Step and time of a violation, if not those of the event that revealed it. */
export interface Place {
  readonly step: number;
  readonly at: Millis;
}

export interface More {
  readonly blame?: readonly Address[];
  readonly where?: Place;
}

/** Reports a violation of the invariant. */
export type Report = (detail: string, more?: More) => void;

/** Folds one event into the state; `seen` includes the event already. Never mutates `state`. */
export type Judgement<S, T extends Happening["type"]> = (
  state: S,
  seen: Chronicle,
  record: RecordOf<T>,
  report: Report,
) => S;

const SOUND: readonly Violation[] = [];

/** Returns an oracle that folds events of some types. Its state is immutable, so a fork copies one reference. */
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
