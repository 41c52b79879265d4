/** How every oracle is built: a pure fold over records, with the chronicle of the run beside it. */
import type { Address, Millis } from "../core/base/ids.ts";
import { type Chronicle, type Chronicler, NO_CHRONICLE } from "./chronicle.ts";
import type { InvariantName, Observed, Oracle, Violation } from "./observation.ts";

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
export type Judgement<S> = (state: S, seen: Chronicle, record: Observed, report: Report) => S;

interface Remembered<S> {
  readonly state: S;
  readonly seen: Chronicle;
}

const SOUND: readonly Violation[] = [];

/** An oracle from a fold. Its state is immutable, so a fork is one more reference to it. */
export function oracle<S>(name: InvariantName, follow: Chronicler, initial: S, judge: Judgement<S>): Oracle {
  return resumed(name, follow, { state: initial, seen: NO_CHRONICLE }, judge);
}

function resumed<S>(name: InvariantName, follow: Chronicler, start: Remembered<S>, judge: Judgement<S>): Oracle {
  let { state, seen } = start;
  let found: Violation[] = [];
  let current: Place | undefined;
  const report: Report = (detail, more) => {
    const { step, at } = more?.where ?? (current as Place);
    found.push({ invariant: name, step, at, detail, blame: more?.blame ?? [] });
  };
  return {
    name,
    observe(record) {
      current = record;
      seen = follow(seen, record);
      state = judge(state, seen, record, report);
      if (found.length === 0) return SOUND;
      const violations = found;
      found = [];
      return violations;
    },
    fork: () => resumed(name, follow, { state, seen }, judge),
  };
}
